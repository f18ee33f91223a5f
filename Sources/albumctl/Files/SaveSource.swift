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

    /// Opens what an argument names.
    ///
    /// A file that is to be removed must be a regular file and no symlink; any other may be whatever can be read.
    static func open(_ argument: [UInt8], isRemovable: Bool, _ files: any FileVerbs) throws(Problem) -> SaveSource {
        guard argument != Array("-".utf8) else { return SaveSource(standardInputBy: files) }
        let path = isRemovable ? try absolutePath(argument) : nil
        do throws(FileError) {
            guard let path else {
                return try SaveSource(plain(argument, files), named: argument, at: nil, files)
            }
            let parent = path.directory.bytes
            let directory = try files.openDirectory(parent.isEmpty ? [UInt8(ascii: "/")] : parent)
            let file = try files.openForReading(path.name.bytes, beneath: directory)
            return try SaveSource(file, named: argument, at: Place(directory: directory, path: path), files)
        } catch {
            throw problem(error, argument)
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
        guard status.kind != .directory else { throw FileError(code: EISDIR, verb: "read") }
        guard status.kind == .regular || place == nil else { throw FileError(code: EINVAL, verb: "remove") }
        (self.file, opened, name, self.place) = (file, status, PathBytes(argument).name, place)
        self.files = files
    }

    /// open(2), following symlinks and waiting at a FIFO, as any program would for its caller.
    private static func plain(_ path: [UInt8], _ files: any FileVerbs) throws(FileError) -> OpenFile {
        guard !path.contains(0) else { throw FileError(code: ENOENT, verb: "open", path: path) }
        let descriptor = path.withTerminated { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw FileError(code: errno, verb: "open", path: path) }
        return OpenFile(descriptor, of: files)
    }

    private static func problem(_ error: FileError, _ argument: [UInt8]) -> Problem {
        switch error.code {
        case EISDIR: .usage("it is a directory", fix: "name its files: \(printable(argument))/*")
        case ENOENT: .notFound("there is no such file")
        case ELOOP, EINVAL: .refused("only a plain file can be removed, and this is none", fix: "--source keep")
        default: .failed("\(error)")
        }
    }

    /// Whether the file is what it was when it was opened; what is no regular file never changes.
    func isUnchanged() throws(Problem) -> Bool {
        guard let file, let opened, opened.kind == .regular else { return true }
        do throws(FileError) { return try files.status(of: file).hasSameContentEvidence(as: opened) } catch {
            throw .failed("\(error)")
        }
    }
}
