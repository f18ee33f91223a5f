import FoundationEssentials
import Glibc
import Media
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

@testable import Daemon

/// A library of pictures that are each a hundred times one byte, and a reader that is told the byte.
struct FactsBench {
    let library: PhotoLibrary
    let readers: LibraryReaders
    let scratch: ScratchFolder

    func service(
        version: Int = FactsReading.readerVersion, _ read: @escaping @Sendable (UInt8) -> FactsReading
    ) -> FactsService {
        let files = library.machine.files
        let reader = FactsReader(
            version: version,
            read: { file, _ in
                var first: UInt8 = 0
                let count = withUnsafeMutableBytes(of: &first) { try? files.read(file, into: $0, at: 0) }
                return count == 1 ? read(first) : .unreadable(reason: "nothing in it")
            }, readSidecar: { _ in .unreadable(reason: "there is none") }, rest: {}, stop: {})
        return FactsService(library: library, readers: readers, reader: reader, tier: nil, fatal: FatalFailure())
    }

    func add(
        _ number: UInt8, creationDate: Date = Date(microseconds: 0), _ source: CreationDateSource = .modified
    ) throws -> LocalIdentifier {
        let identifier = LocalIdentifier(library.machine.makeUUID())
        try publish(number) { content in
            .createAsset(
                AssetCreation(
                    localIdentifier: identifier, mediaType: .image, creationDate: creationDate,
                    creationDateSource: source, resourceType: .photo, originalFilename: PathBytes("\(number).jpg"),
                    content: content))
        }
        return identifier
    }

    func edit(_ asset: LocalIdentifier, _ number: UInt8) throws {
        try publish(number) {
            .addVersion(VersionAddition(localIdentifier: asset, resourceType: .photo, content: $0))
        }
    }

    func asset(_ identifier: LocalIdentifier) throws -> Asset? { try readers.readNow { try $0.asset(identifier) } }
    func facts(_ identifier: LocalIdentifier) throws -> AssetFacts? {
        try readers.readNow { try $0.facts(of: identifier) }
    }
    func counts() throws -> FactsCounts { try readers.readNow { try $0.factsCounts() } }

    private func publish(_ number: UInt8, _ request: (Content) -> ChangeRequest) throws {
        let staged = try stagedBytes(number, in: library)
        let request = request(staged.content)
        try library.onThread { library in
            _ = try library.publish([staged], origin: "test") { change in
                try change.perform(request)
            }
        }
    }
}

func withFactsBench(_ test: String = #function, _ body: (FactsBench) throws -> Void) throws {
    try withScratchFolder(test) { scratch in
        let library = try PhotoLibrary.open(
            Array(scratch.path("library").utf8), machine: .live(log: .silent), executor: .inline())
        let bench = FactsBench(library: library, readers: try LibraryReaders(of: library, count: 1), scratch: scratch)
        try body(bench)
        bench.readers.close()
        library.onThread { $0.close() }
    }
}
