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

/// Data first, reference last (RULES R1, R5). Called on the library's thread alone.
extension Originals {
    /// One original in its place: the file to make durable, and whether it was there before (an orphan of a crash).
    private struct Placed {
        var content: Content
        var file: OpenFile
        var isAdopted: Bool
    }

    /// Renames the batch to its final names and makes it durable before any row names it.
    ///
    /// One content once.
    ///
    /// On an error the new names are removed again and the whole batch counts as not stored; nothing is retried (R10).
    package func publish(_ batch: [StagedContent]) throws {
        guard !batch.isEmpty else { return }
        var placed: [Placed] = []
        do {
            var directories: [[UInt8]: OpenFile] = [:]
            var isNewDirectory = false
            for item in batch {
                let directory = try shardDirectory(of: item, in: &directories, isNew: &isNewDirectory)
                placed.append(try place(item, in: directory))
            }
            try machine.reach(.renamedIntoOriginals)
            try makeDurable(placed, directories: Array(directories.values), isNewDirectory: isNewDirectory)
            try machine.reach(.originalsDurable)
        } catch {
            withdraw(placed)
            throw error
        }
    }

    private func shardDirectory(
        of item: StagedContent, in open: inout [[UInt8]: OpenFile], isNew: inout Bool
    ) throws(FileError) -> OpenFile {
        let shard = Originals.shard(of: item.content.hash)
        if let directory = open[shard] { return directory }
        do throws(FileError) {
            try machine.files.makeDirectory(shard, in: originals)
            isNew = true
        } catch  where error.isExistence {
            // Its own entry was made durable with its first original.
        }
        let directory = try machine.files.openDirectory(shard, beneath: originals)
        open[shard] = directory
        return directory
    }

    private func place(_ item: StagedContent, in directory: OpenFile) throws(FileError) -> Placed {
        let name = Originals.name(of: item.content)
        try machine.files.setMode(item.staged.file, 0o400)
        do throws(FileError) {
            try machine.files.rename(item.staged.name, in: staging, to: name, in: directory)
            return Placed(content: item.content, file: item.staged.file, isAdopted: false)
        } catch  where error.isExistence {
            return try adoptOrReplace(name, in: directory, with: item)
        }
    }

    /// A file stands there that no sound row names.
    ///
    /// With the right hash it is an orphan of a crash, and adopted; else it is torn or was changed, and kept aside,
    /// since the daemon deletes no original.
    private func adoptOrReplace(
        _ name: [UInt8], in directory: OpenFile, with item: StagedContent
    ) throws(FileError) -> Placed {
        let orphan = try machine.files.openForReading(name, beneath: directory)
        if try ContentHasher.hash(file: orphan, files: machine.files) == item.content.hash.bytes {
            item.staged.discard()
            return Placed(content: item.content, file: orphan, isAdopted: true)
        }
        let aside = name + [UInt8(ascii: "-")] + Array(machine.makeUUID().uuidString.utf8)
        try machine.files.rename(name, in: directory, to: aside, in: setAside)
        try machine.files.rename(item.staged.name, in: staging, to: name, in: directory)
        return Placed(content: item.content, file: item.staged.file, isAdopted: false)
    }

    private func makeDurable(_ placed: [Placed], directories: [OpenFile], isNewDirectory: Bool) throws(FileError) {
        if placed.count > 8, try machine.files.fileSystem(of: originals).syncsWhole {
            try machine.files.syncFileSystem(originals)
            return
        }
        for item in placed {
            try machine.files.sync(item.file)
        }
        for directory in directories {
            try machine.files.sync(directory)
        }
        if isNewDirectory { try machine.files.sync(originals) }
    }

    private func withdraw(_ placed: [Placed]) {
        for item in placed where !item.isAdopted {
            // What cannot be removed is an orphan, which does no harm.
            try? machine.files.unlink(Originals.path(of: item.content), in: originals)
        }
    }
}
