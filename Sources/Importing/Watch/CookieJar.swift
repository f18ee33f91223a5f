import Glibc
import PhotoModel
import Platform

/// The private directory where cookies are dropped.
///
/// Its own descriptor may be kept: it is not a source (S2).
struct CookieJar {
    let path: [UInt8]
    let files: any FileVerbs
    private var directory: OpenFile?
    /// Barriers that were dropped and not seen yet.
    private(set) var outstanding: [[UInt8]] = []

    init(path: [UInt8], files: any FileVerbs) {
        self.path = path
        self.files = files
    }

    /// Opens the directory anew, made where it is not there, and gives its watch.
    mutating func open(_ calls: WatchCalls, instance: Int32) throws(FileError) -> Int32 {
        let place = PathBytes(path)
        do throws(FileError) {
            try files.makeDirectory(place.name.bytes, in: files.openDirectory(place.directory.bytes))
        } catch  where error.isExistence {}
        let opened = try files.openDirectory(path)
        directory = opened
        return try calls.add(instance, opened)
    }

    /// Makes the file, which the watcher will see, and removes it again.
    func drop(_ name: [UInt8]) throws(FileError) {
        guard let directory else { throw FileError(code: ENOENT, verb: "dropping a cookie", path: path) }
        // One of this name can only be left from a watcher that was killed.
        try? files.unlink(name, in: directory)
        _ = try files.create(name, in: directory)
        try files.unlink(name, in: directory)
    }

    mutating func await(_ name: [UInt8]) { outstanding.append(name) }
    mutating func settle(_ name: [UInt8]) { outstanding.removeAll { $0 == name } }
}
