import Glibc
import Platform

/// One directory of a walk.
struct Visit {
    let job: WalkJob
    let root: OpenFile
    let countsLinks: Bool
    let files: any FileVerbs
    let calls: WatchCalls
    let instance: Int32
    let sink: @Sendable ([WatchSignal]) -> Void

    func run(_ step: WalkJob.Step, _ decoder: inout WatchDecoder) {
        guard let path = wantedPath(step, &decoder) else { return }
        do throws(FileError) {
            let directory = try files.openDirectory(path, beneath: root)
            let watch = try calls.add(instance, directory)
            // After the watch, which tells of every directory that is made from then on.
            let status = try files.status(of: directory)
            let placement = place(watch, status.inode, step, &decoder)
            guard isToBeListed(placement, watch, &decoder) else { return }
            // Its name and its own dot: nothing is below it, and no file is told (find(1), -noleaf).
            if countsLinks, placement == .new, status.linkCount == 2 { return }
            let entries = try files.list(directory)
            tell(entries, of: directory, at: path, watch, placement, &decoder)
        } catch {
            failed(error, step, path, &decoder)
        }
    }

    /// The path of a step by what the table knows now; nil where there is nothing to visit.
    private func wantedPath(_ step: WalkJob.Step, _ decoder: inout WatchDecoder) -> [UInt8]? {
        guard step != .root else { return [] }
        guard let place = decoder.table.place(of: step.parent), place.folder == job.folder else { return nil }
        let path = joined(place.path, step.name)
        let known = decoder.table.child(step.name, of: step.parent)
        if job.purpose == .appeared, known != nil { return nil }
        if decoder.ignores(path, of: job.folder) {
            if let known { decoder.end(decoder.table.remove(known)) }
            return nil
        }
        guard let bound = boundPassed(path) else { return path }
        if let known { decoder.end(decoder.table.remove(known)) }
        decoder.tell(.beyondLimit(folder: job.folder, path: path, limit: bound))
        return nil
    }

    private func boundPassed(_ path: [UInt8]) -> WatchBound? {
        if path.count > WatchBound.maximumPathBytes { return .pathBytes }
        let depth = path.count { $0 == UInt8(ascii: "/") } + 1
        return depth > WatchBound.maximumDepth ? .depth : nil
    }

    private func place(
        _ watch: Int32, _ inode: UInt64, _ step: WalkJob.Step, _ decoder: inout WatchDecoder
    ) -> Placement {
        guard step == .root else {
            return decoder.table.place(watch, inode: inode, named: step.name, under: step.parent)
        }
        if let old = decoder.table.root(of: job.folder), old != watch { decoder.end(decoder.table.remove(old)) }
        return decoder.table.placeRoot(watch, inode: inode, of: job.folder)
    }

    private func isToBeListed(_ placement: Placement, _ watch: Int32, _ decoder: inout WatchDecoder) -> Bool {
        switch placement {
        case .new, .moved: return true
        case .unchanged: return job.purpose != .vacated
        case .root(let other):
            overlapped(other, &decoder)
            return false
        case .stale:
            if decoder.table.isUnknown(watch) { decoder.end([watch]) }
            return false
        }
    }

    /// Two folders share a directory.
    ///
    /// It stays with the first; a folder whose root is taken is not watched at all.
    private func overlapped(_ other: Int64, _ decoder: inout WatchDecoder) {
        let signal = WatchSignal.folderOverlaps(folder: job.folder, other: other)
        guard decoder.table.root(of: job.folder) == nil else { return decoder.tell(signal) }
        decoder.giveUp(job.folder, signal)
    }

    private func failed(_ error: FileError, _ step: WalkJob.Step, _ path: [UInt8], _ decoder: inout WatchDecoder) {
        switch error.code {
        case ENOSPC:
            decoder.limit(job.folder)
            decoder.walks.dropSteps()
        case _ where step == .root:
            decoder.giveUp(job.folder, .folderUnreadable(folder: job.folder, code: error.code))
        // Gone again, or not a directory any more: its events tell the rest.
        case ENOENT, ENOTDIR, ELOOP:
            if let known = decoder.table.child(step.name, of: step.parent) { decoder.table.detach(known) }
        // Another file system is mounted there, which is not the folder's: the scan says so. A watch of what it covers
        // stays, for what is done there before the mount goes again.
        case EXDEV: break
        default:
            decoder.tell(.directoryUnreadable(folder: job.folder, path: path, code: error.code))
        }
    }
}
