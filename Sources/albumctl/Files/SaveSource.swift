import Control
import Glibc
import PhotoModel
import Platform

/// What is saved: standard input, or a file that the caller's own rights opened.
struct SaveSource {
    /// Where a file stands, if it may be removed from there.
    struct Place {
        let directory: OpenFile
        let path: PathBytes
    }

    let file: OpenFile?
    /// What the file was when it was opened; nil for standard input.
    let opened: FileStatus?
    /// Nil for standard input.
    let name: PathBytes?
    let place: Place?
    private let files: any FileVerbs

    var descriptor: Int32 { file?.descriptor ?? STDIN_FILENO }

    /// Opens what an argument names: a plain file, and no symlink where it is to be removed.
    static func open(_ argument: [UInt8], isRemovable: Bool, _ files: any FileVerbs) throws(Problem) -> SaveSource {
        guard argument != Array("-".utf8) else { return SaveSource(standardInputBy: files) }
        try requirePlain(argument)
        let path = isRemovable ? try absolutePath(argument) : nil
        do throws(FileError) {
            guard let path else {
                return try SaveSource(plain(argument, files), named: argument, at: nil, files)
            }
            let parent = path.directory.bytes
            let directory = try files.openDirectory(parent.isEmpty ? [UInt8(ascii: "/")] : parent)
            let file = try reopened(path.name.bytes, in: directory, files)
            return try SaveSource(file, named: argument, at: Place(directory: directory, path: path), files)
        } catch {
            throw problem(error, argument)
        }
    }

    /// One that a removal left set aside, cut off before its end, has its name back first.
    private static func reopened(
        _ name: [UInt8], in directory: OpenFile, _ files: any FileVerbs
    ) throws(FileError) -> OpenFile {
        do throws(FileError) {
            return try files.openForReading(name, beneath: directory)
        } catch {
            guard error.code == ENOENT,
                try SetAside(name, in: directory, files: files).giveBack() == name
            else { throw error }
            return try files.openForReading(name, beneath: directory)
        }
    }

    private init(standardInputBy files: any FileVerbs) {
        (file, opened, name, place) = (nil, nil, nil, nil)
        self.files = files
    }

    private init(
        _ file: OpenFile, named argument: [UInt8], at place: Place?, _ files: any FileVerbs
    ) throws(FileError) {
        let status = try files.status(of: file)
        // It was a plain file before it was opened.
        guard status.kind == .regular else { throw FileError(code: EINVAL, verb: "read") }
        (self.file, opened, name, self.place) = (file, status, PathBytes(argument).name, place)
        self.files = files
    }

    /// Refuses what is no plain file before it is opened: opening a FIFO waits for a writer, and opening a device can
    /// do something already (open(2)).
    private static func requirePlain(_ path: [UInt8]) throws(Problem) {
        var status = stat()
        // What cannot be looked at cannot be opened either, and that says why.
        guard !path.contains(0), path.withTerminated({ stat($0, &status) }) == 0 else { return }
        let name = shellWord(path: path)
        let piped = "to save what is read from it: albumctl save - --filename NAME < \(name)"
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw .usage("it is a directory", fix: "name its files: \(name)/*")
        case S_IFIFO: throw .usage("it is a FIFO, and only a plain file has an end to wait for", fix: piped)
        case S_IFSOCK: throw .usage("it is a socket, and no plain file", fix: "name a file, or - for standard input")
        default: throw .usage("it is a device, and no plain file", fix: piped)
        }
    }

    /// open(2), following symlinks, and waiting for nothing should the file have become another since it was looked at.
    private static func plain(_ path: [UInt8], _ files: any FileVerbs) throws(FileError) -> OpenFile {
        guard !path.contains(0) else { throw FileError(code: ENOENT, verb: "open", path: path) }
        let descriptor = path.withTerminated { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        guard descriptor >= 0 else { throw FileError(code: errno, verb: "open", path: path) }
        return OpenFile(descriptor, of: files)
    }

    private static func problem(_ error: FileError, _ argument: [UInt8]) -> Problem {
        switch error.code {
        case ENOENT: .notFound("there is no such file", fix: "ls -l \(shellWord(path: argument))")
        case EINVAL: .failed("it became another file while it was opened", fix: "try again when it is at rest")
        case ELOOP:
            .refused(
                "a symlink is not removed, nor what it leads to",
                fix: "leave it with --source keep, or name the file that it leads to")
        default: .failed("\(error)")
        }
    }

    /// Whether the file is what it was when it was opened; standard input never changes.
    func isUnchanged() throws(Problem) -> Bool {
        guard let file, let opened else { return true }
        do throws(FileError) { return try files.status(of: file).hasSameContentEvidence(as: opened) } catch {
            throw .failed("\(error)")
        }
    }
}
