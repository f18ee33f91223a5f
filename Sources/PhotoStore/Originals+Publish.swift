import FoundationEssentials
package import PhotoModel
import Platform

/// Staged bytes with their hash, ready to become an original.
package struct StagedContent: Sendable {
    package var content: Content
    package var staged: StagedFile

    package init(content: Content, staged: StagedFile) {
        self.content = content
        self.staged = staged
    }
}

/// The disk did not take what it was given; told apart from other errors, since it must not be asked again (R10).
struct SyncFailure: Error {
    var cause: FileError
    /// What failed is still there, and the next publish would take it for durable: nothing may be stored any more.
    var isFinal = false
}

/// Data first, reference last (RULES R1, R5). Called on the library's thread alone.
extension Originals {
    /// One original in its place: the file to make durable, and whether it was there before (an orphan of a crash).
    private struct Placed {
        var content: Content
        var file: OpenFile
        var isAdopted = false
    }

    /// A directory of originals by its name, and what goes into it.
    private struct Shard {
        var name: [UInt8]
        var items: [StagedContent]
    }

    /// What became of a batch so far.
    private struct Placing {
        var placed: [Placed] = []
        /// Held to be synced.
        var directories: [OpenFile] = []
        var refused: [ContentHash: FileError] = [:]
    }

    /// Renames the batch to its final names and makes it durable before any row names it.
    ///
    /// One content once.
    ///
    /// What cannot be given its name, for what stands there can neither be used nor moved away, is refused alone: it is
    /// not stored, and the others are. On any other error the new names are removed again and the whole batch counts as
    /// not stored; nothing is retried (R10).
    func publish(_ batch: [StagedContent]) throws -> [ContentHash: FileError] {
        guard !batch.isEmpty else { return [:] }
        let shards = try shards(of: batch)
        let isWhole = try batch.count > 8 && machine.files.fileSystem(of: originals).syncsWhole
        var placing = Placing()
        do {
            for shard in shards {
                // What is not synced one by one is not held: a large batch has hundreds of them (RULES I36).
                try place(shard, holding: !isWhole, into: &placing)
            }
            guard !placing.placed.isEmpty else { return placing.refused }
            try machine.reach(.renamedIntoOriginals)
            try makeDurable(isWhole ? nil : placing.placed.map(\.file) + placing.directories)
            try machine.reach(.originalsDurable)
            return placing.refused
        } catch {
            withdraw(placing.placed)
            throw error
        }
    }

    private func place(_ shard: Shard, holding: Bool, into placing: inout Placing) throws(FileError) {
        let directory = try refusing(shard.items, in: &placing) { () throws(FileError) in
            try machine.files.openDirectory(shard.name, beneath: originals)
        }
        guard let directory else { return }
        for item in shard.items {
            machine.giveWay()
            let placed = try refusing([item], in: &placing) { () throws(FileError) in try place(item, in: directory) }
            if let placed { placing.placed.append(placed) }
        }
        if holding { placing.directories.append(directory) }
    }

    /// Nil where it is the trouble of these alone.
    private func refusing<Value>(
        _ items: [StagedContent], in placing: inout Placing, _ body: () throws(FileError) -> Value
    ) throws(FileError) -> Value? {
        do throws(FileError) {
            return try body()
        } catch  where error.isOfOneFile {
            for item in items { placing.refused[item.content.hash] = error }
            return nil
        }
    }

    /// The directories that the batch needs, after new ones were made.
    private func shards(of batch: [StagedContent]) throws -> [Shard] {
        let groups = Dictionary(grouping: batch) { Originals.shard(of: $0.content.hash) }
        let names = groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
        try makeShards(names)
        return names.map { Shard(name: $0, items: groups[$0] ?? []) }
    }

    /// Makes the directories that are not there, and makes them durable before anything is put into them.
    ///
    /// One that is there is durable: since the start (`LibraryDirectory.open`), or since it was made here. So none
    /// may stay of which that is not known.
    private func makeShards(_ names: [[UInt8]]) throws {
        var made: [[UInt8]] = []
        do {
            for name in names where try make(name) { made.append(name) }
            if !made.isEmpty { try synced { () throws(FileError) in try machine.files.sync(originals) } }
        } catch {
            do throws(FileError) {
                for name in made { try machine.files.removeDirectory(name, in: originals) }
            } catch {
                throw SyncFailure(cause: error, isFinal: true)
            }
            throw error
        }
    }

    /// Whether the directory is new.
    private func make(_ shard: [UInt8]) throws(FileError) -> Bool {
        do throws(FileError) {
            try machine.files.makeDirectory(shard, in: originals)
            return true
        } catch  where error.isExistence {
            return false
        }
    }

    private func place(_ item: StagedContent, in directory: OpenFile) throws(FileError) -> Placed {
        let name = Originals.name(of: item.content)
        try machine.files.setMode(item.staged.file, 0o400)
        do throws(FileError) {
            try item.staged.move(to: name, in: directory)
            return Placed(content: item.content, file: item.staged.file)
        } catch  where error.isExistence {
            return try adoptOrReplace(name, in: directory, with: item)
        }
    }

    /// Something stands there that no sound row names.
    ///
    /// With the right hash it is an orphan of a crash, and adopted; else it is torn, was changed, cannot be read or is no
    /// file, and is kept aside, since the daemon deletes no original.
    private func adoptOrReplace(
        _ name: [UInt8], in directory: OpenFile, with item: StagedContent
    ) throws(FileError) -> Placed {
        if let orphan = try adopt(name, in: directory, having: item.content.hash) {
            return Placed(content: item.content, file: orphan, isAdopted: true)
        }
        try putAside(name, of: directory)
        try item.staged.move(to: name, in: directory)
        return Placed(content: item.content, file: item.staged.file)
    }

    /// Nil for what has not these bytes, or cannot be read.
    private func adopt(
        _ name: [UInt8], in directory: OpenFile, having hash: ContentHash
    ) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            let orphan = try machine.files.openForReading(name, beneath: directory)
            let status = try machine.files.status(of: orphan)
            guard status.kind == .regular, try ContentHasher.hash(file: orphan, files: machine.files) == hash.bytes
            else { return nil }
            // A power cut may have kept the name and not the mode; what is right is left, for it may be immutable.
            if status.mode & 0o7777 != 0o400 { try machine.files.setMode(orphan, 0o400) }
            return orphan
        } catch  where error.isOfOneFile {
            return nil
        }
    }

    private func putAside(_ name: [UInt8], of directory: OpenFile) throws(FileError) {
        let aside = name + [UInt8(ascii: "-")] + Array(machine.makeUUID().uuidString.utf8)
        try machine.files.rename(name, in: directory, to: aside, in: setAside)
        try machine.files.sync(setAside)
    }

    /// Nil is the whole file system.
    private func makeDurable(_ files: [OpenFile]?) throws {
        try synced { () throws(FileError) in
            guard let files else { return try machine.files.syncFileSystem(originals) }
            for file in files {
                try machine.files.sync(file)
            }
        }
    }

    private func synced(_ body: () throws(FileError) -> Void) throws(SyncFailure) {
        do throws(FileError) {
            try body()
        } catch {
            throw SyncFailure(cause: error)
        }
    }

    /// After a failed sync the page cache may hold what the disk does not, and the next sync would not say so (R10).
    ///
    /// So no name may stay under which the bytes would be taken for stored: new ones go, an orphan is kept aside.
    private func withdraw(_ placed: [Placed]) {
        for item in placed {
            let name = Originals.name(of: item.content)
            // What cannot be removed is an orphan, whose hash is checked before it is used.
            if item.isAdopted,
                let directory = try? machine.files.openDirectory(
                    Originals.shard(of: item.content.hash), beneath: originals)
            {
                try? putAside(name, of: directory)
            } else {
                try? machine.files.unlink(Originals.path(of: item.content), in: originals)
            }
        }
    }
}
