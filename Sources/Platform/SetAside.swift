import Glibc

/// A file on its way out: first under a name that nobody looks at, then looked at once more, and only then removed.
///
/// Between a look at a name and unlink(2) another program may have put another file there, and that one would go unread.
/// A rename takes whatever is there, and what it took can be looked at, and given back.
package struct SetAside {
    private let name: [UInt8]
    private let number: String
    private let directory: OpenFile
    private let files: any FileVerbs

    /// Of the file with that name in that directory.
    package init(_ name: [UInt8], in directory: OpenFile, files: any FileVerbs) {
        (self.name, self.directory, self.files) = (name, directory, files)
        number = SetAside.number(of: name)
    }

    private var asideName: [UInt8] { SetAside.asideName(of: name) }

    /// The same for the same name, and short, however long that is; a partial file's for all who look (RULES R16e).
    package static func asideName(of name: [UInt8]) -> [UInt8] { Array(".albumd-\(number(of: name))-gone.part".utf8) }

    /// Whether it was removed: the very file that is open, as `status` says it is, and that nobody writes.
    ///
    /// Where a lease was granted it must be held; whatever differs has its name again. A file system that cannot rename
    /// without replacing (rename(2), EINVAL) has the name looked at, and unlinked.
    package func remove(_ file: OpenFile, _ status: FileStatus, lease: Lease) throws(FileError) -> Bool {
        do throws(FileError) {
            try files.rename(name, in: directory, to: asideName, in: directory)
        } catch {
            guard error.code == EINVAL || error.code == ENOSYS else { throw ofName(error) }
            guard try files.status(at: name, in: directory).hasSameContentEvidence(as: status) else { return false }
            try files.unlink(name, in: directory)
            return true
        }
        let isIt = try isSame(files.status(at: asideName, in: directory), status)
        guard isIt, try isSame(files.status(of: file), status), lease != .granted || files.holdsLease(file) else {
            try giveBack()
            return false
        }
        do throws(FileError) { try files.unlink(asideName, in: directory) } catch {
            try giveBack()
            throw ofName(error)
        }
        return true
    }

    /// Whoever reads it knows the file by its own name.
    private func ofName(_ error: FileError) -> FileError {
        FileError(code: error.code, verb: error.verb, path: name)
    }

    /// Ends what a crash left: it goes where `isKnown` says so of it, and has its name again where not.
    ///
    /// Whether something has the name again.
    package func settle(_ isKnown: (FileStatus) -> Bool) throws(FileError) -> Bool {
        let status: FileStatus
        do throws(FileError) { status = try files.status(at: asideName, in: directory) } catch {
            guard error.isAbsence else { throw error }
            return false
        }
        guard isKnown(status) else {
            try giveBack()
            return true
        }
        try files.unlink(asideName, in: directory)
        return false
    }

    /// Under its own name, or beside what has that by now under one that is seen.
    private func giveBack() throws(FileError) {
        do throws(FileError) {
            try files.rename(asideName, in: directory, to: name, in: directory)
        } catch {
            guard error.isExistence else { throw error }
            let suffix = name.suffix(200).drop { $0 != UInt8(ascii: ".") }
            let other = Array("albumd-kept-\(number)".utf8) + suffix
            try files.rename(asideName, in: directory, to: other, in: directory)
        }
    }

    /// A rename changes the time of change, and nothing else.
    private func isSame(_ now: FileStatus, _ before: FileStatus) -> Bool {
        var now = now
        now.changed = before.changed
        return now.hasSameContentEvidence(as: before)
    }

    private static func number(of name: [UInt8]) -> String {
        var hasher = ContentHasher()
        name.withUnsafeBytes { hasher.update($0) }
        return hasher.finish().prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0\(digits)" : digits
        }.joined()
    }
}
