import Glibc
import Platform

/// Walks the directories that the decoder wants walked, one at a time: open, watch, list, go below.
///
/// Watching before listing is what loses nothing (R22): what is made before the listing is listed, what is made after
/// the watch is an event, and what is both is told twice.
struct DirectoryWalker {
    let files: any FileVerbs
    let calls: WatchCalls
    let sink: @Sendable ([WatchSignal]) -> Void
    var instance: Int32
    /// The root of the walk under way; a walk holds it, and nothing holds it longer (S2).
    private var root: OpenFile?
    private var ticket: UInt64 = 0
    /// Whether the link count of a directory there says how many it has below it.
    private var countsLinks = false

    init(
        files: any FileVerbs, calls: WatchCalls, instance: Int32, sink: @escaping @Sendable ([WatchSignal]) -> Void
    ) {
        self.files = files
        self.calls = calls
        self.sink = sink
        self.instance = instance
    }

    /// Does one directory of the first walk.
    mutating func step(_ decoder: inout WatchDecoder) {
        guard let job = decoder.walks.first else { return }
        guard let root = openRoot(job, &decoder) else { return endWalk(&decoder) }
        guard let step = decoder.walks.takeStep() else { return finish(job, &decoder) }
        let visit = Visit(
            job: job, root: root, countsLinks: countsLinks, files: files, calls: calls, instance: instance, sink: sink)
        visit.run(step, &decoder)
    }

    /// Lets the root go unless its walk goes on.
    mutating func letGo(_ decoder: WatchDecoder) {
        if decoder.walks.first?.ticket != ticket { root = nil }
    }

    private mutating func finish(_ job: WalkJob, _ decoder: inout WatchDecoder) {
        endWalk(&decoder)
        guard job.purpose == .initial || job.purpose == .rewatch, decoder.folders[job.folder]?.isLimited == false
        else { return }
        decoder.tell(.watching(folder: job.folder, directories: decoder.table.count(in: job.folder)))
    }

    private mutating func endWalk(_ decoder: inout WatchDecoder) {
        // A folder that was given up has taken its walks away already, the first one included.
        if decoder.walks.first?.ticket == ticket { decoder.walks.finishFirst() }
        root = nil
    }

    /// The walk's root, opened by its path once for each walk, and the same directory as ever.
    private mutating func openRoot(_ job: WalkJob, _ decoder: inout WatchDecoder) -> OpenFile? {
        if ticket == job.ticket, let root { return root }
        ticket = job.ticket
        root = nil
        guard let folder = decoder.folders[job.folder] else { return nil }
        do throws(FileError) {
            let opened = try files.openDirectory(folder.root)
            let status = try files.status(of: opened)
            let identity = WatchDecoder.RootIdentity(device: status.device, inode: status.inode)
            guard isExpected(identity, job, &decoder) else { return nil }
            root = opened
            // Where one syncfs does for all: ext4, XFS, and btrfs, which counts 1 for every directory.
            let facts = try files.fileSystem(of: opened)
            countsLinks = job.purpose == .initial && facts.syncsWhole
            return opened
        } catch {
            lost(job.folder, folder, error, &decoder)
            return nil
        }
    }

    private func isExpected(
        _ identity: WatchDecoder.RootIdentity, _ job: WalkJob, _ decoder: inout WatchDecoder
    ) -> Bool {
        guard job.purpose != .initial, let known = decoder.folders[job.folder]?.identity, known != identity else {
            decoder.folders[job.folder]?.identity = identity
            return true
        }
        decoder.lose(job.folder, known.device == identity.device ? .moved : .unmounted)
        return false
    }

    private func lost(
        _ id: Int64, _ folder: WatchDecoder.Folder, _ error: FileError, _ decoder: inout WatchDecoder
    ) {
        guard error.isAbsence, folder.identity != nil else {
            return decoder.giveUp(id, .folderUnreadable(folder: id, code: error.code))
        }
        decoder.lose(id, .deleted)
    }
}
