package import FoundationEssentials
import Glibc
package import PhotoModel
package import Platform

/// What a folder's root is now: the only way to a descriptor of it, checked each time (RULES R32, R33).
package enum FolderPresence: Sendable {
    /// The folder is what it was when it was taken on.
    case online(OpenFile)
    /// Never seen before: to be registered as `registration`.
    case new(OpenFile, FolderRegistration)
    /// Not there, or not the same: nothing may be concluded from what is absent, and nothing is imported.
    case offline(String)
    /// Marked by another library.
    case otherLibrary(UUID)
}

/// The marker `.albumd-folder`: which folder of which library this is.
///
/// The one file that albumd creates there.
package struct FolderMarker: Codable, Sendable, Equatable {
    package var folder: UUID
    package var library: UUID

    /// That of the folder at an absolute path; nil where there is none, or where it cannot be read now.
    package static func read(at path: [UInt8], files: any FileVerbs) -> FolderMarker? {
        (try? files.openDirectory(path)).flatMap { try? read(in: $0, files: files) }
    }

    fileprivate static func read(in root: OpenFile, files: any FileVerbs) throws(FileError) -> FolderMarker? {
        do throws(FileError) {
            let file = try files.openForReading(IgnoreRules.marker, beneath: root)
            let bytes = try readBytes(file, files: files, at: 0, count: 4096)
            return try? JSONDecoder().decode(FolderMarker.self, from: Data(bytes))
        } catch  where error.isAbsence {
            return nil
        }
    }
}

/// A directory that no folder may share: the library, or another folder.
package struct TakenPlace: Sendable {
    package var name: String
    package var place: DirectoryPlace

    package init(name: String, place: DirectoryPlace) {
        self.name = name
        self.place = place
    }
}

/// Tells whether a folder is online.
///
/// Holds no descriptor between two calls (RULES S2).
package struct FolderGuard: Sendable {
    let machine: Machine
    let library: UUID

    package init(machine: Machine, library: UUID) {
        self.machine = machine
        self.library = library
    }

    /// Looks at the folder at `path`, which the library knows as `known` or not at all.
    ///
    /// One that is not known is not taken on where it overlaps one of `places`: it is not even marked.
    package func look(
        at path: PathBytes, known: FolderRegistration?, avoiding places: [TakenPlace] = []
    ) -> FolderPresence {
        do throws(FileError) {
            let root = try machine.files.openDirectory(path.bytes)
            let marker = try readMarker(in: root)
            if let marker, marker.library != library { return .otherLibrary(marker.library) }
            guard let known else {
                if let why = overlap(of: root, with: places) { return .offline(why) }
                return try takeOn(root, at: path, marker: marker)
            }
            return try compare(root, marker: marker, with: known)
        } catch {
            return .offline(explain(error, path: path))
        }
    }

    /// What `root` overlaps, through whatever mounts and symlinks (RULES R15).
    package func overlap(of root: OpenFile, with places: [TakenPlace]) -> String? {
        guard let own = machine.files.place(of: root), let taken = places.first(where: { own.overlaps($0.place) })
        else { return nil }
        return "it and \(taken.name) lie within one another, through a mount or a symlink; keep them apart"
    }

    private func compare(
        _ root: OpenFile, marker: FolderMarker?, with known: FolderRegistration
    ) throws(FileError) -> FolderPresence {
        let facts = try registration(of: root, at: known.path, folder: known.folder, isMarked: known.isMarked)
        if known.isMarked, marker?.folder != known.folder {
            return .offline(
                "its marker .albumd-folder is gone: its volume is not mounted, or the directory was made anew; if this is the right folder, run \(confirm(known.path))"
            )
        }
        if facts.fileSystem != known.fileSystem {
            return .offline("it is on another file system than before; if that is right, run \(confirm(known.path))")
        }
        if facts.rootInode != known.rootInode, known.fileSystem == nil || !known.isMarked {
            return .offline("it is another directory than before; if that is right, run \(confirm(known.path))")
        }
        return .online(root)
    }

    private func confirm(_ path: PathBytes) -> String { "albumctl folder confirm \(shellWord(path: path.bytes))" }

    /// A folder with a marker of this library keeps its identifier, even under another path.
    private func takeOn(_ root: OpenFile, at path: PathBytes, marker: FolderMarker?) throws(FileError) -> FolderPresence
    {
        let folder = marker?.folder ?? machine.makeUUID()
        let isMarked = marker != nil || writeMarker(FolderMarker(folder: folder, library: library), in: root)
        return .new(root, try registration(of: root, at: path, folder: folder, isMarked: isMarked))
    }

    /// What a person confirmed: the folder as it is now, marked anew where that is possible.
    package func confirmed(_ known: FolderRegistration) throws(FileError) -> FolderRegistration {
        let root = try machine.files.openDirectory(known.path.bytes)
        let marker = try readMarker(in: root)
        let isMarked =
            marker?.folder == known.folder
            || (marker == nil && writeMarker(FolderMarker(folder: known.folder, library: library), in: root))
        return try registration(of: root, at: known.path, folder: known.folder, isMarked: isMarked)
    }

    private func registration(
        of root: OpenFile, at path: PathBytes, folder: UUID, isMarked: Bool
    ) throws(FileError) -> FolderRegistration {
        FolderRegistration(
            folder: folder, path: path, fileSystem: try machine.files.fileSystem(of: root).identity,
            rootInode: try machine.files.status(of: root).inode, isMarked: isMarked)
    }

    package func readMarker(in root: OpenFile) throws(FileError) -> FolderMarker? {
        try FolderMarker.read(in: root, files: machine.files)
    }

    /// False where the folder cannot be written: it runs unmarked, and absence there never trashes.
    private func writeMarker(_ marker: FolderMarker, in root: OpenFile) -> Bool {
        do {
            let text = Array(try JSONEncoder().encode(marker)) + [UInt8(ascii: "\n")]
            let file = try createMarker(in: root)
            try writeBytes(file, text, files: machine.files, at: 0)
            try machine.files.setMode(file, 0o644)
            try machine.files.sync(file)
            try machine.files.sync(root)
            return true
        } catch {
            return false
        }
    }

    /// A marker without a byte is what a power cut left of one.
    private func createMarker(in root: OpenFile) throws(FileError) -> OpenFile {
        let files = machine.files
        do throws(FileError) {
            return try files.create(IgnoreRules.marker, in: root)
        } catch  where error.isExistence {
            guard try files.status(at: IgnoreRules.marker, in: root).byteCount == 0 else { throw error }
            return try files.openForUpdating(IgnoreRules.marker, in: root)
        }
    }

    private func explain(_ error: FileError, path: PathBytes) -> String {
        let name = printable(path.bytes)
        return switch error.code {
        case ENOENT, ENOTDIR: "'\(name)' is not there: create it, or mount its volume"
        case EACCES, EPERM:
            "'\(name)' cannot be read by albumd: run albumctl folder check \(shellWord(path: path.bytes))"
        default: error.description
        }
    }
}
