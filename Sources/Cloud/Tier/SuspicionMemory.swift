import PhotoModel
import PhotoStore
import Platform

/// `doubts`, in the library: the originals that the store denied once, a line each, so that a restart forgets none.
///
/// A hint: what is lost of it, or torn, is found by the next question. Without times: after a restart ten minutes begin
/// anew, by the clock that nobody sets.
struct SuspicionMemory: Sendable {
    private static let name = Array("doubts".utf8)
    private static let most = 1 << 20

    private let directory: LibraryDirectory
    private let files: any FileVerbs

    init(_ directory: LibraryDirectory, files: any FileVerbs) {
        (self.directory, self.files) = (directory, files)
    }

    func read() -> [ContentHash: Suspicions.Finding] {
        guard let file = try? files.openForReading(Self.name, beneath: directory.root),
            let bytes = try? readBytes(file, files: files, at: 0, count: Self.most)
        else { return [:] }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        let found: [(ContentHash, Suspicions.Finding)] = lines.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let hash = ContentHash(hexadecimal: words[0]),
                let finding = Suspicions.Finding(rawValue: String(words[1]))
            else { return nil }
            return (hash, finding)
        }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// Written in place and not synced; what is longer than before is made empty lines.
    func write(_ findings: [ContentHash: Suspicions.Finding]) {
        let lines = findings.sorted { $0.key < $1.key }.map { "\($0.key.hexadecimal) \($0.value.rawValue)\n" }
        var bytes = Array(lines.joined().utf8)
        // Where it cannot be written, a restart knows less.
        guard let file = try? openOrCreate(Self.name, in: directory.root, files: files),
            let before = try? files.status(of: file).byteCount
        else { return }
        bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: max(0, Int(before) - bytes.count))
        try? writeBytes(file, bytes, files: files, at: 0)
    }
}
