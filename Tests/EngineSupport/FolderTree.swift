package import PhotoModel

/// What other programs made of the folders, by absolute path: the model that the library is held against.
package struct FolderTree: Sendable {
    package private(set) var directories: Set<PathBytes> = []
    /// A number for each file, so that hard links are one.
    package private(set) var files: [PathBytes: Int] = [:]
    private var contents: [Int: [UInt8]] = [:]
    private var lastFile = 0

    package init() {}

    package func bytes(at path: PathBytes) -> [UInt8]? { files[path].flatMap { contents[$0] } }

    /// Every other name of the same file.
    package func links(of path: PathBytes) -> [PathBytes] {
        guard let file = files[path] else { return [] }
        return files.filter { $0.value == file && $0.key != path }.keys.sorted()
    }

    /// The files below a directory, in order.
    package func files(below directory: PathBytes) -> [PathBytes] {
        files.keys.filter { $0.isBelow(directory) }.sorted()
    }

    package func directories(below directory: PathBytes) -> [PathBytes] {
        directories.filter { $0.isBelow(directory) }.sorted()
    }

    package func exists(_ path: PathBytes) -> Bool { files[path] != nil || directories.contains(path) }

    package mutating func makeDirectory(_ path: PathBytes) { directories.insert(path) }

    package mutating func write(_ path: PathBytes, _ bytes: [UInt8]) {
        let file = files[path] ?? nextFile()
        files[path] = file
        contents[file] = bytes
    }

    package mutating func link(_ path: PathBytes, of existing: PathBytes) { files[path] = files[existing] }

    package mutating func remove(_ path: PathBytes) {
        files[path] = nil
        directories.remove(path)
    }

    /// Moves a file over whatever stands there, or a directory with everything in it.
    package mutating func rename(_ from: PathBytes, to: PathBytes) {
        if let file = files.removeValue(forKey: from) {
            files[to] = file
            return
        }
        for path in files(below: from) { files[path.moved(from, to)] = files.removeValue(forKey: path) }
        for path in directories(below: from) + [from] {
            directories.remove(path)
            directories.insert(path.moved(from, to))
        }
    }

    private mutating func nextFile() -> Int {
        lastFile += 1
        return lastFile
    }
}

extension PathBytes {
    package func isBelow(_ directory: PathBytes) -> Bool {
        bytes.count > directory.bytes.count && bytes.starts(with: directory.bytes + [UInt8(ascii: "/")])
    }

    /// The path below a directory, without the slash.
    package func relative(to directory: PathBytes) -> PathBytes {
        PathBytes(Array(bytes.dropFirst(directory.bytes.count + 1)))
    }

    func moved(_ from: PathBytes, _ to: PathBytes) -> PathBytes {
        PathBytes(to.bytes + bytes.dropFirst(from.bytes.count))
    }
}
