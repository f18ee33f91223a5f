import Platform

/// How directories are looked into before their turn.
struct LookAhead: Sendable {
    let files: any FileVerbs
    let ignore: IgnoreRules
    let beginLoop: BeginLoop
    /// So many directories are one piece of work, and so many pieces are begun: where other threads never wait for the
    /// walk, they do most of it.
    private(set) var directoryCount = 4
    private(set) var begunCount = 3

    /// One directory, which has come.
    static func alone(_ other: LookAhead) -> LookAhead {
        var alone = other
        (alone.directoryCount, alone.begunCount) = (1, 0)
        return alone
    }

    /// Learns from a directory how many entries the next may have: they are all in memory.
    mutating func note(_ entryCount: Int) {
        directoryCount = max(1, min(4, 1024 / max(1, entryCount)))
        begunCount = min(3, 4096 / max(1, entryCount))
    }

    /// Begins with directories among the entries of one, from `index` on; with none where there are none.
    func begin(in above: DirectoryLook, from index: Int) -> BegunLooks {
        let indices = above.directories(from: index, limit: directoryCount)
        return BegunLooks(indices, begin: beginLoop) { [files, ignore] index throws(FileError) in
            var look = try DirectoryLook(
                files.openDirectory(above.name(index), beneath: above.directory), ignore: ignore, files: files)
            look.lookAhead(files)
            return look
        }
    }
}
