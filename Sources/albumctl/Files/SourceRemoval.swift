import Control
import Glibc
import PhotoModel
import Platform

/// Removes a file that the library holds, once everything proves it; throws, and leaves it, on any doubt.
struct SourceRemoval {
    let source: SaveSource
    /// What the library says that it holds.
    let hash: ContentHash
    /// The library's directory, as status tells it.
    let library: [UInt8]
    let host: Host

    private var files: any FileVerbs { host.machine.files }

    /// For good.
    func delete() throws(Problem) {
        try remove { (place, file, status, lease) throws(FileError) in
            let aside = SetAside(place.path.name.bytes, in: place.directory, files: files)
            guard try aside.remove(file, status, lease: lease) else { throw doubtful("another program changed it") }
        }
    }

    /// Into the trash of the desktop.
    func trash() throws(Problem) {
        try remove { (place, _, _, _) throws(FileError) in try Trash(host: host).take(place) }
    }

    /// Proves, removes, and makes that durable.
    ///
    /// A read lease keeps writers out from the first look to the removal, where the file can have one.
    private func remove(
        _ body: (SaveSource.Place, OpenFile, FileStatus, Lease) throws(FileError) -> Void
    ) throws(Problem) {
        guard let place = source.place, let file = source.file, let opened = source.opened else {
            throw doubt("it was not opened in its directory")
        }
        do throws(FileError) {
            let lease = try files.takeLease(file)
            defer { if lease == .granted { files.dropLease(file) } }
            guard lease != .writerPresent else { throw doubtful("somebody is writing to it") }
            guard ContentHash(bytes: try ContentHasher.hash(file: file, files: files)) == hash else {
                throw doubtful("its bytes are no longer those that the library holds")
            }
            try check(file, opened, place)
            guard lease != .granted || files.holdsLease(file) else { throw doubtful("somebody is writing to it") }
            try body(place, file, opened, lease)
            try files.sync(place.directory)
        } catch {
            if error.path == AsideName.aside(of: place.path.name.bytes) { throw stranded(error, place.path) }
            throw doubt(error.code == 0 ? String(decoding: error.path, as: UTF8.self) : "\(error)")
        }
    }

    /// The open file did not change, its name still leads to it, and it is not the library's own.
    private func check(_ file: OpenFile, _ opened: FileStatus, _ place: SaveSource.Place) throws(FileError) {
        guard try files.status(of: file).hasSameContentEvidence(as: opened) else { throw doubtful("it changed") }
        let named = try files.status(at: place.path.name.bytes, in: place.directory)
        guard named.kind == .regular, named.hasSameContentEvidence(as: opened) else {
            throw doubtful("its name leads to another file now")
        }
        guard try !isOriginal(opened) else { throw doubtful("it is the library's own file") }
    }

    /// Whether the file is the stored original itself, reached by whatever path.
    private func isOriginal(_ status: FileStatus) throws(FileError) -> Bool {
        let name = Array(hash.hexadecimal.utf8)
        do throws(FileError) {
            let directory = try files.openDirectory(library + Array("/originals/".utf8) + name.prefix(2))
            for entry in try files.list(directory) where entry.name.starts(with: name) {
                let original = try files.status(at: entry.name, in: directory)
                if original.inode == status.inode && original.device == status.device { return true }
            }
            return false
        } catch  where error.isPermission {
            // Originals can be read by their owner and by root, and both may look here: this user's file is none.
            return false
        }
    }

    /// It could be set aside, and then neither be removed nor have its name again.
    private func stranded(_ error: FileError, _ path: PathBytes) -> Problem {
        let aside = path.directory.appending(error.path)
        return .failed(
            "it is saved, and its file is called '\(printable(aside.bytes))' now: \(error)",
            fix: "mv -n \(shellWord(path: aside.bytes)) \(shellWord(path: path.bytes))")
    }

    /// A doubt on its way out of a verb: code 0, with the sentence in place of a path.
    private func doubtful(_ why: String) -> FileError { FileError(code: 0, verb: "remove", path: Array(why.utf8)) }

    private func doubt(_ why: String) -> Problem {
        .failed("it is saved, but the file stays: \(why)", fix: "look at it; save it again to try once more")
    }
}
