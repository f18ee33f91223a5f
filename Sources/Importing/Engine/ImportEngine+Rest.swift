import PhotoModel
import PhotoStore
import Platform

/// Where no lease can be had, nothing tells whether a program still has a source open and will write on (RULES R16d).
///
/// Its bytes are taken all the same, for what is written later is an edit. But the file is removed only after a long
/// rest, for what is written to a removed file is lost; that somebody closed or renamed it says nothing of the writer.
extension ImportEngine {
    private static let rest = Duration.seconds(600)

    /// Whether a source may be removed as far as its writers go; if not, it waits, and says for what.
    func isRested(_ source: Source, _ root: OpenFile?) throws -> Bool {
        guard let root else { return true }
        do throws(FileError) {
            let file = try machine.files.openForReading(source.key.path.bytes, beneath: root)
            let lease = try machine.files.takeLease(file)
            if lease == .granted { machine.files.dropLease(file) }
            // With a writer it stays, too: the removal finds that out, and looks again.
            guard lease == .unavailable else { return true }
            return rests(source.key, try machine.files.status(of: file))
        } catch {
            // The removal meets the same, and says so.
            return true
        }
    }

    private func rests(_ key: SourceKey, _ status: FileStatus) -> Bool {
        let now = machine.uptime()
        let left = ImportEngine.rest - (board[key].map { now - $0.since } ?? .zero)
        guard left > .zero else { return true }
        let detail =
            "imported; no lease tells whether a program still writes it, so it goes after \(DurationText.write(ImportEngine.rest)) of rest"
        board.update {
            $0.wait(key, reason: .writerPresent, detail: detail, after: left, now: now, status: status)
        }
        return false
    }
}
