import FoundationEssentials
package import PhotoModel
package import Platform

/// What came of an original whose download was broken off: `staging/<sha256>.partial`.
///
/// It is nobody's original: the whole is hashed before it gets a name (RULES R44).
extension Originals {
    private static let suffix = Array(".partial".utf8)

    private static func partialName(of hash: ContentHash) -> [UInt8] { hash.hexadecimalBytes + suffix }

    /// A file in staging for a download, with what an earlier one brought in it; `take` is given those bytes, in order.
    ///
    /// They are written anew: of pages that once failed to reach the disk, reading would not tell (RULES R10).
    package func stagePartial(
        of content: Content, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(FileError) -> (staged: StagedFile, byteCount: Int64) {
        let files = machine.files
        let (name, old) = (Self.partialName(of: content.hash), content.hash.hexadecimalBytes + Array(".old".utf8))
        try unlinkIfPresent(old)
        let isResumed = try files.statusIfPresent(at: name, in: staging)?.kind == .regular
        if isResumed { try files.rename(name, in: staging, to: old, in: staging) }
        let staged = StagedFile(name: name, file: try files.create(name, in: staging), originals: self)
        guard isResumed else { return (staged, 0) }
        var end: Int64 = 0
        let earlier = try files.openForReading(old, beneath: staging)
        while true {
            let piece = try readBytes(earlier, files: files, at: end, count: 1 << 20)
            if piece.isEmpty || end + Int64(piece.count) > content.byteCount { break }
            try writeBytes(staged.file, piece, files: files, at: end)
            piece.withUnsafeBytes(take)
            end += Int64(piece.count)
        }
        try unlinkIfPresent(old)
        return (staged, end)
    }

    /// Removes those that nobody goes on with: after a week, or after an hour where the original is wanted no longer.
    package func removePartials(isWanted: (ContentHash) throws -> Bool) throws {
        for entry in try machine.files.list(staging) {
            guard let hash = Self.partialHash(of: entry.name),
                let status = try machine.files.statusIfPresent(at: entry.name, in: staging)
            else { continue }
            let age = machine.now().timeIntervalSince1970 - Double(status.modified) / 1e9
            if try age > 7 * 86_400 || age > 3600 && !isWanted(hash) { try unlinkIfPresent(entry.name) }
        }
    }

    /// The hash of a partial's name; nil for any other.
    package static func partialHash(of name: [UInt8]) -> ContentHash? {
        guard name.count == 64 + suffix.count, name.hasSuffix(suffix) else { return nil }
        return ContentHash(digits: name.prefix(64))
    }

    private func unlinkIfPresent(_ name: [UInt8]) throws(FileError) {
        do throws(FileError) {
            try machine.files.unlink(name, in: staging)
        } catch  where error.isAbsence {
            // The usual case: there is none.
        }
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
