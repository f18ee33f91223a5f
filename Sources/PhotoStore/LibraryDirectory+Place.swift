import Glibc
package import Platform

/// The library's own directories: plain ones, in its own, and still those that were opened.
extension LibraryDirectory {
    /// Throws `directoryRemoved` where one of the directories that are held open is no longer what stands under its name:
    /// removed, moved, or mounted over.
    ///
    /// What is read and written through them is then nobody's library, and the next start would not find it.
    package func requireInPlace(_ files: any FileVerbs) throws {
        let held = [
            ("originals", originals.originals), ("staging", originals.staging), ("set-aside", originals.setAside),
            ("journal", journal), ("snapshots", snapshots),
        ]
        try requireRoot(files)
        for (name, directory) in held {
            try require(name, directory, is: try files.statusIfPresent(at: Array(name.utf8), in: root), files)
        }
    }

    /// Why nothing of it can be read from its disk now; nil where it can.
    ///
    /// What SQLite reads of such a disk may look damaged.
    package func diskFailure(_ files: any FileVerbs) -> FileError? {
        do throws(FileError) {
            let file = try files.openForReading(Array("library.json".utf8), beneath: root)
            _ = try readBytes(file, files: files, at: 0, count: 1)
            return nil
        } catch {
            return error.isUnreachable ? error : nil
        }
    }

    /// A path that cannot be looked at now, for want of a descriptor or of rights, says nothing.
    private func requireRoot(_ files: any FileVerbs) throws {
        var found: FileStatus?
        do throws(FileError) {
            found = try files.status(of: files.openDirectory(path))
        } catch  where !error.isAbsence {
            return
        } catch {
            found = nil
        }
        try require("", root, is: found, files)
    }

    private func require(
        _ name: String, _ held: OpenFile, is found: FileStatus?, _ files: any FileVerbs
    ) throws {
        let status = try files.status(of: held)
        guard let found, (found.device, found.inode) == (status.device, status.inode) else {
            throw LibraryError.directoryRemoved(path: LibraryDirectory.display(path), name: name)
        }
    }

    /// A directory of a library that has been in use is made anew: whoever moved it away may want it back.
    static func tellOfLoss(of name: String, from path: [UInt8], _ machine: Machine) {
        let comesBack =
            switch name {
            case "journal": "what the catalogue has of it is written once more"
            case "snapshots": "the next snapshot is made within a day"
            default: "what was in it is not in the library any more"
            }
        machine.log(
            .notice, "the library's directory '\(name)' was gone and is made anew: \(comesBack)",
            ["library": display(path)])
    }

    /// Throws `originalsGone` where the library has a catalogue or a journal, and no directory of originals.
    ///
    /// An empty one in its place would have everything called missing, and would keep the right one from coming back.
    static func requireOriginals(in root: OpenFile, path: [UInt8], files: any FileVerbs) throws {
        func isThere(_ name: String) throws(FileError) -> Bool {
            try files.statusIfPresent(at: Array(name.utf8), in: root) != nil
        }
        guard try !isThere("originals") else { return }
        guard try isThere("catalogue.sqlite") || hasJournal(in: root, files: files) else { return }
        throw LibraryError.originalsGone(path: display(path))
    }

    private static func hasJournal(in root: OpenFile, files: any FileVerbs) throws -> Bool {
        do {
            let journal = try files.openDirectory(Array("journal".utf8), beneath: root)
            return try !JournalReader(files: files, directory: journal).months().isEmpty
        } catch let error as FileError where error.isAbsence {
            return false
        }
    }

    /// Opens one of the directories, and makes it where it is not there; says what is wrong with what stands there.
    static func openOwn(_ name: String, in root: OpenFile, path: [UInt8], files: any FileVerbs) throws -> OpenFile {
        func unusable(_ why: String) -> LibraryError { .directoryUnusable(path: display(path), name: name, why: why) }
        do throws(FileError) {
            return try openOrMake(Array(name.utf8), in: root, files: files)
        } catch  where error.code == EXDEV {
            throw unusable("is a mount point, of another file system or of another place of this one")
        } catch  where error.code == ELOOP {
            throw unusable("is a symlink")
        } catch  where error.code == ENOTDIR {
            throw unusable("is no directory")
        }
    }
}
