import Cloud
import Control
import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform

/// Where the simulated store is.
extension CloudService {
    /// The store in its directory, which is made where it is not there and not `isExpected` to be; never those above it,
    /// which are most likely of a disk that is not mounted.
    static func simulatedStore(
        _ settings: CloudSettings, library: [UInt8], machine: Machine, isExpected: Bool = false,
        pause: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(FileError) -> SimulatedStore {
        let path = settings.directory(besideLibrary: library)
        let root = try isExpected ? machine.files.openDirectory(path) : openOrMake(path, machine.files)
        return try SimulatedStore(
            in: root, at: path, machine: machine, faults: settings.faults, seed: settings.seed, pause: pause)
    }

    private static func openOrMake(_ path: [UInt8], _ files: any FileVerbs) throws(FileError) -> OpenFile {
        do throws(FileError) {
            return try files.openDirectory(path)
        } catch  where error.code == ENOENT {
            let parts = PathBytes(path)
            let above = parts.directory.bytes
            let parent = try files.openDirectory(above.isEmpty ? [UInt8(ascii: "/")] : above)
            try files.makeDirectory(parts.name.bytes, in: parent)
            try files.sync(parent)
            return try files.openDirectory(path)
        }
    }

    /// Whether the configuration's store is there, and is that library's; nothing is made for the question.
    static func has(_ library: UUID, _ configuration: Configuration, machine: Machine) -> Bool {
        let settings = configuration.cloud
        let path = settings.directory(besideLibrary: configuration.library)
        // What cannot be asked is not offered.
        guard settings.engine != .none, (try? machine.files.openDirectory(path)) != nil,
            let store = try? simulatedStore(settings, library: configuration.library, machine: machine)
        else { return false }
        return (try? isStore(store, of: library)) ?? false
    }

    /// Whether two directories are on one file system; where that cannot be told, they are not.
    static func areTogether(_ one: [UInt8], _ other: [UInt8], _ files: any FileVerbs) -> Bool {
        let devices = [one, other].map { try? files.status(of: files.openDirectory($0)).device }
        return devices[0] != nil && devices[0] == devices[1]
    }
}

extension StatusProblem {
    /// Why the directory of the simulated store cannot be used.
    init(cloudDirectory path: [UInt8], _ error: FileError, isExpected: Bool) {
        let name = "the cloud's directory '\(printable(path))'"
        if error.code == ENOENT, isExpected {
            self.init(
                what: "\(name) is not there, and originals should be in it",
                fix:
                    "mount its disk, or put it back, then restart albumd; where it is gone for good: mkdir it, owned as the "
                    + "library is, restart albumd, then albumctl cloud adopt")
            return
        }
        guard error.code == ENOENT else {
            self.init(
                what: "\(name) cannot be used: \(error)",
                fix: "see that it is a directory that albumd may write to, then restart albumd")
            return
        }
        self.init(
            what: "\(name) is not there, and neither is the directory above it",
            fix: "mount its disk, or name another directory below [cloud] in the configuration, then restart albumd")
    }
}
