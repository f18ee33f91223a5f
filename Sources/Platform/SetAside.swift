import Glibc

/// A file on its way out: first under a name that nobody looks at, then looked at once more, and only then removed.
///
/// Between a look at a name and unlink(2) another program may have put another file there, and that one would go unread.
/// A rename takes whatever is there, and what it took can be looked at, and given back. What a crash leaves has its
/// name again by whoever finds it, and is then a file like any other.
package struct SetAside {
    private let name: [UInt8]
    private let asideName: [UInt8]
    private let directory: OpenFile
    private let files: any FileVerbs
    private static let keptLimit = 1000

    /// Of the file with that name in that directory.
    package init(_ name: [UInt8], in directory: OpenFile, files: any FileVerbs) {
        (self.name, self.directory, self.files) = (name, directory, files)
        asideName = AsideName.aside(of: name)
    }

    /// What was left under that name; nil where it is no such name.
    package init?(left asideName: [UInt8], in directory: OpenFile, files: any FileVerbs) {
        guard let name = AsideName.name(in: asideName) else { return nil }
        (self.name, self.asideName, self.directory, self.files) = (name, asideName, directory, files)
    }

    /// Whether it was removed: the very file that is open, as `status` says it is, and that nobody writes.
    ///
    /// Where a lease was granted it must be held; whatever differs has its name again. A file system that cannot rename
    /// without replacing (rename(2), EINVAL) has the name looked at, and unlinked. Where a file could be set aside, and
    /// then neither be removed nor have its name again, the error names the file as it is called then.
    package func remove(_ file: OpenFile, _ status: FileStatus, lease: Lease) throws(FileError) -> Bool {
        do throws(FileError) {
            try setAside()
        } catch {
            guard error.code == EINVAL || error.code == ENOSYS else { throw error }
            guard try files.status(at: name, in: directory).hasSameContentEvidence(as: status) else { return false }
            try files.unlink(name, in: directory)
            return true
        }
        guard try isAside(status), try isSame(files.status(of: file), status),
            lease != .granted || files.holdsLease(file)
        else {
            try giveBack()
            return false
        }
        do throws(FileError) { try files.unlink(asideName, in: directory) } catch {
            // Gone already, or under its own name: by whoever found it in between.
            guard !error.isAbsence else { return false }
            try giveBack()
            throw FileError(code: error.code, verb: error.verb, path: name)
        }
        return true
    }

    /// What an earlier try left under that name makes room first.
    private func setAside() throws(FileError) {
        do throws(FileError) {
            try files.rename(name, in: directory, to: asideName, in: directory)
        } catch {
            guard error.isExistence else { throw FileError(code: error.code, verb: error.verb, path: name) }
            try giveBack()
            try files.rename(name, in: directory, to: asideName, in: directory)
        }
    }

    /// Under its own name, or beside what has that by now under one that tells it.
    ///
    /// Returns the name that it has; nil where nothing was set aside.
    @discardableResult
    package func giveBack() throws(FileError) -> [UInt8]? {
        var (name, number) = (self.name, 0)
        while true {
            do throws(FileError) {
                try files.rename(asideName, in: directory, to: name, in: directory)
                return name
            } catch {
                if error.isAbsence { return nil }
                guard error.isExistence, number < SetAside.keptLimit else {
                    throw FileError(code: error.code, verb: "give its name back to", path: asideName)
                }
                number += 1
                name = AsideName.kept(self.name, number)
            }
        }
    }

    /// Whether what stands there is the file; a rename changes the time of change, and nothing else.
    private func isAside(_ status: FileStatus) throws(FileError) -> Bool {
        do throws(FileError) {
            return try isSame(files.status(at: asideName, in: directory), status)
        } catch {
            guard error.isAbsence else { throw error }
            return false
        }
    }

    private func isSame(_ now: FileStatus, _ before: FileStatus) -> Bool {
        var now = now
        now.changed = before.changed
        return now.hasSameContentEvidence(as: before)
    }
}
