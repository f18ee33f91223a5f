import Platform

extension Originals {
    /// Makes everything durable that stands under the name of an original.
    ///
    /// After a crash the page cache shows names and bytes that the disk may not have: what was renamed and not synced yet
    /// would be taken for stored, its source be removed, and a power cut would lose both (RULES R1, R5).
    func syncStored() throws(FileError) {
        guard try !machine.files.fileSystem(of: originals).syncsWhole else {
            return try machine.files.syncFileSystem(originals)
        }
        for shard in try machine.files.list(originals).map(\.name) where shard.count == 2 {
            // What cannot be opened cannot be used either, and the comparison says so.
            guard let directory = try? machine.files.openDirectory(shard, beneath: originals),
                let names = try? machine.files.list(directory).map(\.name)
            else { continue }
            for name in names where StoredName(name) != nil { try syncFile(name, in: directory) }
            try machine.files.sync(directory)
        }
        try machine.files.sync(originals)
    }

    private func syncFile(_ name: [UInt8], in shard: OpenFile) throws(FileError) {
        guard let file = try? machine.files.openForReading(name, beneath: shard),
            let status = try? machine.files.status(of: file), status.kind == .regular
        else { return }
        try machine.files.sync(file)
    }
}
