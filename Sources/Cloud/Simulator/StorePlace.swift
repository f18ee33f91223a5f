import Platform

/// Where the directory of a simulated store is: a descriptor leads to it wherever it was moved.
struct StorePlace: Sendable {
    private let path: [UInt8]
    private let status: FileStatus
    private let files: any FileVerbs

    init(_ path: [UInt8], _ root: OpenFile, files: any FileVerbs) throws(FileError) {
        (self.path, self.files) = (path, files)
        status = try files.status(of: root)
    }

    /// Throws `unreachable` where the path leads nowhere, or to another directory.
    func require() throws(ObjectStoreError) {
        let found: FileStatus
        do throws(FileError) {
            found = try files.status(of: files.openDirectory(path))
        } catch {
            throw gone(error.isAbsence ? "is not there any more: it was moved, or its disk is not mounted" : "\(error)")
        }
        guard found.device == status.device, found.inode == status.inode else {
            throw gone("is another directory than at the start of albumd; if that is right, restart albumd")
        }
    }

    private func gone(_ why: String) -> ObjectStoreError {
        ObjectStoreError(.unreachable, "the cloud's directory '\(printable(path))' \(why)")
    }
}
