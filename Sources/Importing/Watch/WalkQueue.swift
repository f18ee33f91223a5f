/// A directory to be walked: watched first, then listed, then what is below it (R22).
package struct WalkJob: Equatable {
    package enum Purpose: Sendable, Equatable {
        /// The folder is new to the watcher: every directory is watched, and no file is told, because a scan follows.
        case initial
        /// Events were lost: the same again, and the files of directories that were not watched are told.
        case rewatch
        /// A directory is new: everything in it is told. Nothing to do where a walk from above has been there before.
        case appeared
        /// A directory has moved: everything in it is told, for what was known of its old place may be lost.
        case moved
        /// A directory has left this name; if another stands there, it is new.
        case vacated
    }

    /// One directory by its parent's watch and its name; the root has no parent.
    package struct Step: Equatable {
        package var parent: Int32
        package var name: [UInt8]
        package static let root = Step(parent: WatchTable.none, name: [])
    }

    package var ticket: UInt64
    package var folder: Int64
    package var purpose: Purpose
}

/// The walks to be done, in the order in which they were found to be needed.
package struct WalkQueue {
    /// The steps are kept apart from the job, so that nobody who holds the job makes them be copied.
    private struct Entry {
        var job: WalkJob
        var steps: [WalkJob.Step]
    }

    private var entries: [Entry] = []
    private var finished = 0
    private var lastTicket: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { finished == entries.count }
    package var first: WalkJob? { isEmpty ? nil : entries[finished].job }
    /// The directories of the first walk that are still to be done.
    package var remaining: [WalkJob.Step] { isEmpty ? [] : entries[finished].steps }

    /// The mark of what is queued now: everything up to it is done when `isDone` says so.
    package var mark: UInt64 { lastTicket }
    package func isDone(_ mark: UInt64) -> Bool { first.map { $0.ticket > mark } ?? true }

    package mutating func add(_ purpose: WalkJob.Purpose, _ step: WalkJob.Step, in folder: Int64) {
        lastTicket += 1
        let job = WalkJob(ticket: lastTicket, folder: folder, purpose: purpose)
        entries.append(Entry(job: job, steps: [step]))
    }

    /// Takes the next directory of the first walk.
    package mutating func takeStep() -> WalkJob.Step? {
        guard !isEmpty else { return nil }
        return entries[finished].steps.popLast()
    }

    /// Adds directories to the first walk.
    package mutating func push(_ steps: [WalkJob.Step]) {
        guard !isEmpty else { return }
        entries[finished].steps += steps
    }

    /// Lets the first walk end without what is left of it.
    package mutating func dropSteps() {
        guard !isEmpty else { return }
        entries[finished].steps = []
    }

    /// Ends the first walk, done or not.
    package mutating func finishFirst() {
        guard !isEmpty else { return }
        entries[finished].steps = []
        finished += 1
        guard finished == entries.count || finished > 1024 else { return }
        entries.removeFirst(finished)
        finished = 0
    }

    /// Ends every walk of a folder.
    package mutating func cancel(folder: Int64) {
        entries.removeFirst(finished)
        finished = 0
        entries.removeAll { $0.job.folder == folder }
    }
}
