import PhotoModel
import PhotoStore
import Platform

/// Reads a few per cent of the originals a day and writes down what it finds: slowly, and never beside another audit.
final class BackgroundVerify: Sendable {
    private let library: PhotoLibrary
    private let readers: LibraryReaders
    private let verification: Verification
    private let knownFaults: KnownFaults
    private let machine: Machine
    private let fatal: FatalFailure
    private let plan: Monitor<VerifyPlan>
    private let ended = Monitor(true)

    init(
        library: PhotoLibrary, readers: LibraryReaders, verification: Verification, knownFaults: KnownFaults,
        machine: Machine, fatal: FatalFailure
    ) {
        (self.library, self.readers, self.verification) = (library, readers, verification)
        (self.knownFaults, self.machine, self.fatal) = (knownFaults, machine, fatal)
        let memory = AuditMemory.read(from: library.directory, files: machine.files)
        plan = Monitor(VerifyPlan(cursor: memory.background, now: machine.uptime()))
    }

    /// Starts the thread; it ends with `Verification.stop`.
    func start() {
        ended.update { $0 = false }
        NamedThread.start("albumd-audit") { [self] in
            takeLongTurns()
            while verification.rest(for: VerifyPlan.interval) {
                do {
                    try step()
                } catch {
                    fatal.note(ifCatalogueFailed: error)
                    machine.log(.error, "originals could not be read again in the background: \(error)")
                }
            }
            ended.update { $0 = true }
        }.detach()
    }

    /// Blocks until the thread has ended, after the verification was stopped.
    func awaitEnd() { ended.wait { $0 ? () : nil } }

    /// Reads what is due now, unless another audit runs.
    func step() throws {
        let totalBytes = try readers.readNow { try $0.contentCounts().byteCount }
        plan.update { $0.advance(to: machine.uptime(), totalBytes: totalBytes) }
        guard let turn = verification.take() else { return }
        let pace = verification.pace(VerifyPlan.bytesPerSecond)
        try withExtendedLifetime(turn) {
            while let version = try next(totalBytes: totalBytes) {
                guard try read(version, pace: pace) else { break }
            }
        }
        remember()
    }

    /// The next original, where it is due; past the last one the next step begins anew.
    private func next(totalBytes: Int64) throws -> Version? {
        let cursor = plan.update { $0.cursor }
        guard let version = try readers.readNow({ try $0.contents(after: cursor, limit: 1).first }) else {
            plan.update { $0.begin() }
            return nil
        }
        return plan.update { $0.isDue(version.content, totalBytes: totalBytes) } ? version : nil
    }

    /// False where the daemon ends first.
    private func read(_ version: Version, pace: @escaping Pace) throws -> Bool {
        let content = version.content
        if version.residency != .inCloud {
            let look = library.directory.originals.look(at: content, reading: true, pace: pace)
            guard look.finding != .stopped else { return false }
            if look.finding != .sound || version.condition != .sound {
                let findings = try library.onThread { try $0.record([(content, look)]) }
                for finding in findings { tell(finding) }
            }
        }
        plan.update { $0.didRead(content) }
        return true
    }

    private func tell(_ finding: AuditFinding) {
        let name = printable(finding.version.content.path.bytes)
        guard finding.finding != .sound else { return }
        knownFaults.note(finding)
        machine.log(.error, finding.sentence, ["original": name])
    }

    private func remember() {
        var memory = AuditMemory.read(from: library.directory, files: machine.files)
        let cursor = plan.update { $0.cursor }
        guard memory.background != cursor else { return }
        memory.background = cursor
        // Without it the next start begins anew.
        try? memory.write(to: library.directory, files: machine.files)
    }
}
