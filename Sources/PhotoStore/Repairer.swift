import Glibc
package import PhotoModel
import Platform

/// What became of an original that is missing or corrupt.
package enum Mending: Sendable, Equatable {
    /// It turned out to be sound.
    case sound
    /// Its bytes were found there, and are stored again.
    case mended(from: PathBytes)
    /// They were found there, and nothing was done (a dry run).
    case mendable(from: PathBytes)
    /// Nothing that can be reached has the bytes; where files that had them were last seen.
    case lost(lastSeen: [PathBytes])
    /// They were found, and could not be stored.
    case failed(from: PathBytes, why: String)
    case stopped
}

/// Puts originals back from what still has their bytes: a source, or another file of the library.
///
/// Whatever a name says, only the hash counts. Publishing runs on the library's thread; all else where it is called.
package struct Repairer: Sendable {
    private let library: PhotoLibrary
    private let pace: Pace

    package init(_ library: PhotoLibrary, pace: @escaping Pace = { _ in true }) {
        (self.library, self.pace) = (library, pace)
    }

    /// A file that may have the bytes.
    private struct Place {
        var directory: OpenFile
        var path: [UInt8]
        /// For a person.
        var whole: PathBytes
    }

    private var originals: Originals { library.directory.originals }
    private var files: any FileVerbs { originals.machine.files }

    /// Blocks.
    package func mend(_ content: Content, isDryRun: Bool) throws -> Mending {
        let look = originals.look(at: content, reading: true, pace: pace)
        if look.finding == .stopped { return .stopped }
        if look.areRight {
            if !isDryRun { _ = try library.onThread { try $0.record([(content, look)]) } }
            return .sound
        }
        let known = try library.onThread { library in
            (try library.catalogue.sources(having: content.hash), try library.catalogue.folders())
        }
        let roots = Dictionary(known.1.map { ($0.folder, $0.path) }, uniquingKeysWith: { first, _ in first })
        let sources = known.0.compactMap { source in roots[source.key.folder].map { ($0, source.key.path) } }
        for place in sources.compactMap(place) + otherPlaces(of: content) {
            guard let file = open(place) else { continue }
            guard !isDryRun else {
                if (try? originals.hash(of: file, pace: pace)) == content.hash { return .mendable(from: place.whole) }
                continue
            }
            if let result = try store(file, as: content, from: place.whole) { return result }
        }
        return .lost(lastSeen: sources.map { $0.appending($1.bytes) })
    }

    private func place(_ root: PathBytes, _ path: PathBytes) -> Place? {
        guard let directory = try? files.openDirectory(root.bytes) else { return nil }
        return Place(directory: directory, path: path.bytes, whole: root.appending(path.bytes))
    }

    /// Files of the library that bear the hash: an orphan with another extension, or what was set aside.
    private func otherPlaces(of content: Content) -> [Place] {
        let shard = Originals.shard(of: content.hash)
        let prefix = Array(content.hash.hexadecimal.utf8)
        let own = Originals.name(of: content)
        let beside = (try? files.openDirectory(shard, beneath: originals.originals)).map { directory in
            (directory, PathBytes("originals").appending(shard))
        }
        return [beside, (originals.setAside, PathBytes("set-aside"))].compactMap { $0 }.flatMap { directory, path in
            ((try? files.list(directory)) ?? []).map(\.name)
                .filter { $0.starts(with: prefix) && (path != PathBytes("originals").appending(shard) || $0 != own) }
                .sorted { $0.lexicographicallyPrecedes($1) }
                .map { Place(directory: directory, path: $0, whole: library.path(below: path.appending($0))) }
        }
    }

    /// Nil for what cannot have the bytes, or cannot be read now.
    private func open(_ place: Place) -> OpenFile? {
        guard let file = try? files.openForReading(place.path, beneath: place.directory),
            let status = try? files.status(of: file), status.kind == .regular
        else { return nil }
        return file
    }

    /// As an import does: staged, hashed, published; a torn file under the name is set aside.
    ///
    /// Nil where the bytes are others.
    private func store(_ file: OpenFile, as content: Content, from path: PathBytes) throws -> Mending? {
        do {
            guard let staged = try originals.stage(copyOf: file, as: content, pace: pace) else { return nil }
            defer { staged.discard() }
            try library.onThread { library in
                _ = try library.publish([StagedContent(content: content, staged: staged)], origin: "repair") { _ in }
            }
        } catch let error as FileError {
            return .failed(from: path, why: error.description)
        }
        let now = originals.look(at: content, reading: true)
        return now.areRight ? .mended(from: path) : .failed(from: path, why: "it did not stay sound")
    }
}

extension PhotoLibrary {
    fileprivate nonisolated func path(below path: PathBytes) -> PathBytes {
        PathBytes(directory.path).appending(path.bytes)
    }
}

extension Originals {
    /// A copy in staging that has been read back; nil where it has not the hash, or `pace` ended it.
    func stage(copyOf file: OpenFile, as content: Content, pace: Pace) throws(FileError) -> StagedFile? {
        guard try hasRoom(for: content.byteCount) else { throw FileError(code: ENOSPC, verb: "copy") }
        let staged = try stage()
        if try !machine.files.clone(file, to: staged.file) { try copy(file, to: staged.file) }
        guard try hash(of: staged.file, pace: pace) == content.hash else {
            staged.discard()
            return nil
        }
        return staged
    }

    private func copy(_ source: OpenFile, to target: OpenFile) throws(FileError) {
        var offset: Int64 = 0
        while true {
            let piece = try readBytes(source, files: machine.files, at: offset, count: 1 << 20)
            if piece.isEmpty { return }
            try writeBytes(target, piece, files: machine.files, at: offset)
            offset += Int64(piece.count)
        }
    }
}
