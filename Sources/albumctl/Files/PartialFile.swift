import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform

/// A file that gets its name when it is whole; until then it has another, and a failure or a signal removes it.
final class PartialFile {
    let file: OpenFile
    private let path: PathBytes
    private let partial: PathBytes
    private let replaces: Bool
    private let directory: OpenFile
    private let files: any FileVerbs
    private var isFinished = false

    /// Refuses a name that is taken, unless it is to be replaced; what is no file, such as a directory or a device, never
    /// is.
    init(at path: PathBytes, replaces: Bool, machine: Machine) throws(Problem) {
        (self.path, self.replaces, files) = (path, replaces, machine.files)
        let parent = path.directory.bytes
        partial = PathBytes(parent + [UInt8(ascii: "/")] + partialName(machine))
        do throws(FileError) {
            directory = try files.openDirectory(parent.isEmpty ? [UInt8(ascii: "/")] : parent)
            try Self.check(path, in: directory, replaces: replaces, files: files)
            file = try files.create(partial.name.bytes, in: directory)
        } catch {
            throw Self.problem(error, path)
        }
        removeWhenInterrupted(partial.bytes)
    }

    deinit {
        removeWhenInterrupted(nil)
        // Of a file that got its name nothing is left under this one.
        if !isFinished { try? files.unlink(partial.name.bytes, in: directory) }
    }

    /// Makes the bytes durable and gives the file its name.
    func finish() throws(Problem) {
        do throws(FileError) {
            try files.setMode(file, 0o666 & ~currentUmask())
            try files.sync(file)
            try publish()
            isFinished = true
            try files.sync(directory)
        } catch {
            throw Self.problem(error, path)
        }
    }

    private func publish() throws(FileError) {
        let (name, old) = (path.name.bytes, partial.name.bytes)
        guard replaces else { return try nameUntaken(old, name, in: directory, files: files) }
        // What FileVerbs has never replaces.
        let code = old.withTerminated { old in
            name.withTerminated { renameat(directory.descriptor, old, directory.descriptor, $0) }
        }
        guard code == 0 else { throw FileError(code: errno, verb: "rename", path: path.bytes) }
    }

    private static func check(
        _ path: PathBytes, in directory: OpenFile, replaces: Bool, files: any FileVerbs
    ) throws(FileError) {
        do throws(FileError) {
            let status = try files.status(at: path.name.bytes, in: directory)
            let code =
                switch status.kind {
                case .directory: EISDIR
                case .other: ENOTSUP
                case .regular, .symlink: EEXIST
                }
            if !replaces || code != EEXIST { throw FileError(code: code, verb: "create", path: path.bytes) }
        } catch  where error.code == ENOENT {
            // Free, as it should be.
        }
    }

    private static func problem(_ error: FileError, _ path: PathBytes) -> Problem {
        switch error.code {
        case EEXIST: .failed("'\(printable(path.bytes))' is there already", fix: "--force replaces it")
        case EISDIR: .failed("'\(printable(path.bytes))' is a directory", fix: "name a file in it")
        case ENOTSUP: .failed("'\(printable(path.bytes))' is no file, and is not replaced", fix: "name a file")
        default: .failed("\(error)")
        }
    }
}

/// Renames without replacing; where the file system cannot (NFS, some FUSE: EINVAL), it links and removes.
private func nameUntaken(
    _ old: [UInt8], _ new: [UInt8], in directory: OpenFile, files: any FileVerbs
) throws(FileError) {
    do throws(FileError) {
        try files.rename(old, in: directory, to: new, in: directory)
    } catch  where error.code == EINVAL {
        try linkAndRemove(old, new, in: directory, files: files)
    }
}

/// linkat(2) refuses a taken name as well.
func linkAndRemove(_ old: [UInt8], _ new: [UInt8], in directory: OpenFile, files: any FileVerbs) throws(FileError) {
    let code = old.withTerminated { old in
        new.withTerminated { linkat(directory.descriptor, old, directory.descriptor, $0, 0) }
    }
    guard code == 0 else { throw FileError(code: errno, verb: "link", path: new) }
    try files.unlink(old, in: directory)
}

/// A file of ours that nobody else can open, gone when it is closed.
func namelessFile(in directory: [UInt8], machine: Machine) throws(Problem) -> OpenFile {
    let path = try absolutePath(directory)
    do throws(FileError) {
        let directory = try machine.files.openDirectory(path.bytes)
        let name = partialName(machine)
        let file = try machine.files.create(name, in: directory)
        try machine.files.unlink(name, in: directory)
        return file
    } catch {
        throw .failed("\(error)")
    }
}

/// A dot-file, so that a watched folder passes it over.
private func partialName(_ machine: Machine) -> [UInt8] {
    Array(".albumctl-\(machine.makeUUID().uuidString).part".utf8)
}

extension [UInt8] {
    /// Calls `body` with these bytes and a zero behind.
    func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        body(map { CChar(bitPattern: $0) } + [0])
    }
}
