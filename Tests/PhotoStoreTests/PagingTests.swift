import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Lists are read page by page, each page a query of its own (RULES R48).
@Suite struct PagingTests {
    private func all<Element>(
        limit: Int, _ page: (Int64, Int) throws -> Page<Element>
    ) throws -> (rows: [Element], pages: Int) {
        var rows: [Element] = []
        var cursor: Int64 = 0
        var pages = 0
        while true {
            let next = try page(cursor, limit)
            rows += next.rows
            pages += 1
            guard let after = next.next else { return (rows, pages) }
            cursor = after
        }
    }

    @Test(arguments: [1, 2, 3, 5, 6])
    func pagesTogetherAreTheList(limit: Int) throws {
        try withSimulatedLibrary("limit \(limit)") { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b", "c", "d", "e"])
                try library.perform(Sample.registration(), Sample.album(100), Sample.album(101))
                try library.perform(Sample.adding(5, 4, 3, 2, 1, to: 100, by: .person))
                try library.perform(Sample.removing(4, from: 100, by: .person))
                for name in ["x", "y", "z"] {
                    try library.perform(Sample.source(name, nil, outcome: .pending))
                }
                try library.read { catalogue in
                    let assets = try all(limit: limit) { try catalogue.assets(after: $0, limit: $1) }.rows
                    #expect(assets.map(\.localIdentifier) == [1, 2, 3, 4, 5].map(Sample.identifier))
                    let members = try all(limit: limit) {
                        try catalogue.assets(in: Sample.identifier(100), after: $0, limit: $1)
                    }.rows
                    #expect(members.map(\.localIdentifier) == [5, 3, 2, 1].map(Sample.identifier))
                    let albums = try all(limit: limit) { try catalogue.albums(after: $0, limit: $1) }.rows
                    #expect(albums.map(\.count) == [4, 0])
                    let waiting = try all(limit: limit) { try catalogue.waitingSources(after: $0, limit: $1) }.rows
                    #expect(waiting.map(\.source.key.path) == ["x", "y", "z"].map { PathBytes($0) })
                }
            }
        }
    }

    @Test func sourcesAreInTheOrderOfTheirBytes() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.perform(Sample.registration())
                let names: [[UInt8]] = [
                    [0xFF], Array("a/b".utf8), Array("a-b".utf8), Array("a".utf8), Array("a/a".utf8),
                ]
                for name in names {
                    let key = SourceKey(folder: Sample.folder, path: PathBytes(name))
                    try library.perform(.recordSource(Source(key: key, outcome: .pending, reason: .settling)))
                }
                let listed = try library.read { catalogue in
                    var listed: [PathBytes] = []
                    while true {
                        let page = try catalogue.sources(in: Sample.folder, after: listed.last, limit: 2)
                        guard !page.isEmpty else { return listed }
                        listed += page.map(\.key.path)
                    }
                }
                #expect(listed == names.map { PathBytes($0) }.sorted())
            }
        }
    }
}
