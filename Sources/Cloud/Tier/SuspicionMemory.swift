import PhotoModel
import PhotoStore
import Platform

/// `doubts`, in the library: the originals that the store denied once, a line each, so that a restart forgets none.
///
/// A hint: what is lost of it, or torn, is found by the next question. Each has when it was denied, in seconds since boot
/// (CLOCK_BOOTTIME), which nobody sets: the ten minutes go on over a restart of albumd. After another boot so many seconds
/// have passed since that boot before they count, so at least as many since the denial.
struct SuspicionMemory: Sendable {
    private static let name = Array("doubts".utf8)
    private static let most = 1 << 20

    private let directory: LibraryDirectory
    private let files: any FileVerbs

    init(_ directory: LibraryDirectory, files: any FileVerbs) {
        (self.directory, self.files) = (directory, files)
    }

    /// What is of a time that is still to come begins anew.
    func read(at uptime: Duration) -> [ContentHash: Suspicions.Sighting] {
        guard let file = try? files.openForReading(Self.name, beneath: directory.root),
            let bytes = try? readBytes(file, files: files, at: 0, count: Self.most)
        else { return [:] }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        let found: [(ContentHash, Suspicions.Sighting)] = lines.compactMap { line in
            let words = line.split(separator: " ")
            guard (2...3).contains(words.count), let hash = ContentHash(hexadecimal: words[0]),
                let finding = Suspicions.Finding(rawValue: String(words[1]))
            else { return nil }
            let since = words.count > 2 ? Int64(words[2]).map { Duration.seconds($0) } : nil
            return (hash, (finding, since.flatMap { $0 >= .zero && $0 <= uptime ? $0 : nil } ?? uptime))
        }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// Written in place and not synced; what is longer than before is made empty lines.
    func write(_ sightings: [ContentHash: Suspicions.Sighting]) {
        let lines = sightings.sorted { $0.key < $1.key }.map { hash, sighting in
            // Rounded up: it counts no earlier than it should.
            "\(hash.hexadecimal) \(sighting.finding.rawValue) \(sighting.since.components.seconds + 1)\n"
        }
        var bytes = Array(lines.joined().utf8)
        // Where it cannot be written, a restart knows less.
        guard let file = try? openOrCreate(Self.name, in: directory.root, files: files),
            let before = try? files.status(of: file).byteCount
        else { return }
        bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: max(0, Int(before) - bytes.count))
        try? writeBytes(file, bytes, files: files, at: 0)
    }
}
