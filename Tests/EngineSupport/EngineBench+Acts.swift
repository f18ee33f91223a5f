package import PhotoModel
import PhotoStore
import Platform
import TestSupport

/// What other programs do; the model and the watcher hear of it.
extension EngineBench {
    private func act(_ act: FolderAct, _ change: (inout FolderTree) -> Void) {
        change(&tree)
        watcher.happened(act, tree)
        // No two acts at one instant: a file system's clock goes on.
        simulation.advance(by: .milliseconds(1))
    }

    package func makeDirectory(_ path: PathBytes) throws {
        try program.makeDirectory(path.bytes)
        act(.madeDirectory(path)) { $0.makeDirectory(path) }
    }

    /// Writes and closes a file: a new one, or the same one in place.
    package func write(_ path: PathBytes, _ bytes: [UInt8], isClosed: Bool = true) throws {
        let isNew = !tree.exists(path)
        try program.write(path.bytes, bytes)
        act(.wrote(path, isNew: isNew, isClosed: isClosed)) { $0.write(path, bytes) }
    }

    package func rename(_ from: PathBytes, to: PathBytes) throws {
        let isDirectory = tree.directories.contains(from)
        try program.rename(from.bytes, to: to.bytes)
        act(.renamed(from, to: to, isDirectory: isDirectory)) { $0.rename(from, to: to) }
    }

    package func link(_ path: PathBytes, of existing: PathBytes) throws {
        try program.makeHardLink(path.bytes, of: existing.bytes)
        act(.linked(path)) { $0.link(path, of: existing) }
    }

    package func remove(_ path: PathBytes) throws {
        try program.unlink(path.bytes)
        act(.removed(path, isDirectory: false)) { $0.remove(path) }
    }

    package func removeDirectory(_ path: PathBytes) throws {
        try program.removeDirectory(path.bytes)
        act(.removed(path, isDirectory: true)) { $0.remove(path) }
    }

    package func touch(_ path: PathBytes, modified: Int64) throws {
        try program.touch(path.bytes, modified: modified)
        act(.attributes(path)) { _ in }
    }

    /// The engine removed a source: the model learns of it, and the watcher tells it.
    package func noteRemoval(of path: PathBytes) { act(.removed(path, isDirectory: false)) { $0.remove(path) } }

    /// The engine made a directory on the way to a source that it put back.
    package func noteDirectory(_ path: PathBytes) { act(.madeDirectory(path)) { $0.makeDirectory(path) } }

    /// The engine put a source back.
    package func notePutBack(of path: PathBytes, _ bytes: [UInt8]) {
        act(.wrote(path, isNew: true, isClosed: true)) { $0.write(path, bytes) }
    }

    /// What a person does by the API.
    package func perform(_ requests: ChangeRequest...) throws { try perform(requests) }

    package func perform(_ requests: [ChangeRequest]) throws {
        try library?.onThread { library in
            _ = try library.performChanges(origin: "person") { change in
                for request in requests {
                    try change.perform(request)
                }
            }
        }
    }
}

/// The same by name, such as `in/a.jpg`.
extension EngineBench {
    package func makeDirectory(_ name: String) throws { try makeDirectory(path(name)) }
    package func write(_ name: String, _ bytes: [UInt8]) throws { try write(path(name), bytes) }
    package func rename(_ from: String, to: String) throws { try rename(path(from), to: path(to)) }
    package func link(_ name: String, of existing: String) throws { try link(path(name), of: path(existing)) }
    package func remove(_ name: String) throws { try remove(path(name)) }
    package func touch(_ name: String, modified: Int64) throws { try touch(path(name), modified: modified) }
}
