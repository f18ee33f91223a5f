import Platform

/// `.closed`: the catalogue was closed in order, and is as it was left then.
///
/// It holds what statx(2) said of `catalogue.sqlite`: for a file that was written, replaced or copied since, it says
/// nothing.
extension LibraryDirectory {
    private static let closed = Array(".closed".utf8)

    /// Leaves the mark, after everything else.
    func noteOrderlyStop(files: any FileVerbs) throws(FileError) {
        guard let text = try orderlyStop(files: files) else { return }
        let file = try openOrCreate(LibraryDirectory.closed, in: root, files: files)
        try writeBytes(file, text, files: files, at: 0)
        try files.sync(file)
        try files.sync(root)
    }

    /// Takes the mark away, durably, before anything is written; whether it was there and still says the truth.
    func takeOrderlyStop(files: any FileVerbs) throws(FileError) -> Bool {
        guard try files.statusIfPresent(at: LibraryDirectory.closed, in: root) != nil else { return false }
        let file = try? files.openForReading(LibraryDirectory.closed, beneath: root)
        // What cannot be read says nothing.
        let text = file.flatMap { try? readBytes($0, files: files, at: 0, count: 256) }
        let now = try orderlyStop(files: files)
        try files.unlink(LibraryDirectory.closed, in: root)
        try files.sync(root)
        return text != nil && text == now
    }

    /// Nil where a log is left beside the catalogue, or where there is none.
    private func orderlyStop(files: any FileVerbs) throws(FileError) -> [UInt8]? {
        let name = Array("catalogue.sqlite".utf8)
        guard let status = try files.statusIfPresent(at: name, in: root), status.kind == .regular,
            try files.statusIfPresent(at: name + Array("-wal".utf8), in: root) == nil
        else { return nil }
        return Array("\(status.inode) \(status.byteCount) \(status.modified) \(status.changed)\n".utf8)
    }
}
