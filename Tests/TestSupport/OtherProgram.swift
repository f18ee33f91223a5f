package import Platform

/// What other programs do to the files that the engine looks at: a camera tool, a browser, a person.
///
/// Paths are absolute. Every act throws the errno of its man page.
package protocol OtherProgram: Sendable {
    func makeDirectory(_ path: [UInt8]) throws(FileError)
    func removeDirectory(_ path: [UInt8]) throws(FileError)
    /// Creates the file, or replaces its bytes in place (open(2), O_CREAT|O_TRUNC).
    func write(_ path: [UInt8], _ bytes: [UInt8]) throws(FileError)
    func append(_ path: [UInt8], _ bytes: [UInt8]) throws(FileError)
    /// Opens an existing file for writing and holds it so, until `closeWriter`.
    ///
    /// On a real machine EAGAIN says that somebody has a lease, which this has begun to break (open(2), O_NONBLOCK).
    func openWriter(_ path: [UInt8]) throws(FileError) -> Int32
    func closeWriter(_ descriptor: Int32) throws(FileError)
    /// Moves a name over whatever stands at the new one (rename(2)).
    func rename(_ path: [UInt8], to newPath: [UInt8]) throws(FileError)
    func unlink(_ path: [UInt8]) throws(FileError)
    func makeSymlink(_ path: [UInt8], to target: [UInt8]) throws(FileError)
    func makeHardLink(_ path: [UInt8], of existing: [UInt8]) throws(FileError)
    func makeFIFO(_ path: [UInt8]) throws(FileError)
    /// Sets the modification time, in nanoseconds since the epoch; the status change time is set by the clock (utimensat(2)).
    func touch(_ path: [UInt8], modified: Int64) throws(FileError)
    /// The bytes of a file, to look at from outside.
    func read(_ path: [UInt8]) throws(FileError) -> [UInt8]
}

/// The same with text, for tests that need no odd bytes.
extension OtherProgram {
    package func makeDirectory(_ path: String) throws(FileError) { try makeDirectory(Array(path.utf8)) }
    package func removeDirectory(_ path: String) throws(FileError) { try removeDirectory(Array(path.utf8)) }
    package func write(_ path: String, _ text: String) throws(FileError) {
        try write(Array(path.utf8), Array(text.utf8))
    }
    package func write(_ path: String, _ bytes: [UInt8]) throws(FileError) { try write(Array(path.utf8), bytes) }
    package func append(_ path: String, _ text: String) throws(FileError) {
        try append(Array(path.utf8), Array(text.utf8))
    }
    package func openWriter(_ path: String) throws(FileError) -> Int32 { try openWriter(Array(path.utf8)) }
    package func rename(_ path: String, to newPath: String) throws(FileError) {
        try rename(Array(path.utf8), to: Array(newPath.utf8))
    }
    package func unlink(_ path: String) throws(FileError) { try unlink(Array(path.utf8)) }
    package func makeSymlink(_ path: String, to target: String) throws(FileError) {
        try makeSymlink(Array(path.utf8), to: Array(target.utf8))
    }
    package func makeHardLink(_ path: String, of existing: String) throws(FileError) {
        try makeHardLink(Array(path.utf8), of: Array(existing.utf8))
    }
    package func makeFIFO(_ path: String) throws(FileError) { try makeFIFO(Array(path.utf8)) }
    package func touch(_ path: String, modified: Int64) throws(FileError) {
        try touch(Array(path.utf8), modified: modified)
    }
    package func read(_ path: String) throws(FileError) -> [UInt8] { try read(Array(path.utf8)) }
}
