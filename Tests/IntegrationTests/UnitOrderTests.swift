import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

extension Integration {
    /// What one shot left behind, in orders that are hard, in the real daemon with its real worker.
    @BlockingThread struct UnitOrders {
        private enum File: String, CaseIterable {
            case picture = "IMG_1.JPG"
            case movie = "IMG_1.MOV"
            case raw = "IMG_1.DNG"
            case edit = "IMG_E1.JPG"
            case editedMovie = "IMG_E1.MOV"
            case recipe = "IMG_1.AAE"

            var type: ResourceType {
                switch self {
                case .picture: .photo
                case .movie: .pairedVideo
                case .raw: .alternatePhoto
                case .edit: .fullSizePhoto
                case .editedMovie: .fullSizePairedVideo
                case .recipe: .adjustmentData
                }
            }
        }

        private struct Order {
            var isOneByOne = true
            var files: [File]
        }

        /// The original late or last, its movie behind the edit's, and the RAW behind what nothing ties to it by name.
        private nonisolated static let orders: [Order] = [
            Order(files: [.editedMovie, .picture, .movie, .edit, .recipe]),
            Order(files: [.edit, .editedMovie, .movie, .recipe, .picture]),
            Order(files: [.picture, .editedMovie, .edit, .movie]),
            Order(files: [.raw, .movie, .picture, .edit, .recipe]),
            Order(files: [.movie, .raw, .recipe, .edit, .picture]),
            Order(files: [.edit, .movie, .raw, .picture]),
            Order(files: [.raw, .editedMovie, .recipe, .movie, .edit, .picture]),
            Order(isOneByOne: false, files: File.allCases),
        ]

        @Test func everyOrderEndsAsOneAssetOfTheSameFiles() throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            try withAlbumd { albumd in
                for (number, order) in Self.orders.enumerated() {
                    let directory = "d\(number)"
                    try albumd.makeDirectories(directory)
                    var first: LocalIdentifier?
                    for file in order.files {
                        try albumd.drop("\(directory)/\(file.rawValue)", bytes(of: file, number, corpus))
                        guard order.isOneByOne else { continue }
                        try albumd.flush()
                        if file == .recipe, first == nil { continue }
                        let asset = try albumd.identifier(of: albumd.path("\(directory)/\(file.rawValue)"))
                        #expect(asset == first ?? asset, "\(order)")
                        first = asset
                    }
                    try albumd.flush()
                    let asset = try albumd.identifier(of: albumd.path("\(directory)/\(File.picture.rawValue)"))
                    let row = try albumd.asset(asset)
                    let files = order.files.sorted { $0.type.rawValue < $1.type.rawValue }
                    #expect(row.resources.map(\.type) == files.map(\.type.rawValue), "\(order)")
                    #expect(row.resources.map(\.originalFilename) == files.map(\.rawValue), "\(order)")
                    let hashes = try files.map { [sha256(try bytes(of: $0, number, corpus))] }
                    #expect(row.resources.map { $0.versions.map(\.sha256) } == hashes, "\(order)")
                }
                #expect(try albumd.assets().count == Self.orders.count)
                try albumd.awaitFacts()
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Of one shot, and of no other order's: the corpus has one Live Photo whose identifier stands in plain bytes.
        private func bytes(of file: File, _ number: Int, _ corpus: FactsCorpus) throws -> [UInt8] {
            let pair = try #require(corpus.livePhotos.first { $0.picture.name == "IMG_0728.JPG" })
            let halves = { (entry: FactsCorpus.Entry) in
                try corpus.bytes(of: entry).replacing(
                    Array("C3754624-A05F-474D-9F16-E9C47B5F892D".utf8),
                    with: Array("0000000\(number)-A05F-474D-9F16-E9C47B5F892D".utf8))
            }
            switch file {
            case .picture: return try halves(pair.picture)
            case .movie: return try halves(pair.movie)
            case .edit:
                // A comment behind the start of the picture.
                let picture = try halves(pair.picture)
                return picture[..<2] + [0xFF, 0xFE, 0, 3, 0] + picture[2...]
            case .editedMovie: return try halves(pair.movie) + [0, 0, 0, 8] + Array("free".utf8)
            case .raw:
                let raw = try corpus.bytes(of: corpus.entry("raw/IMG_1361.dng"))
                return raw.replacing(Array("iPhone 12 Pro\0".utf8), with: Array("iPhone 6s\0\0\0\0\0".utf8))
                    .replacing(Array("2020:12:29 14:24:45".utf8), with: Array("2019:12:29 19:01:15".utf8))
                    + [UInt8(number)]
            case .recipe:
                return try corpus.bytes(of: corpus.entry("sidecars/IMG_1853.AAE")) + Array("<!-- \(number) -->".utf8)
            }
        }
    }
}
