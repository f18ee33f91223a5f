import Control
import PhotoModel
import Platform

/// How a test waits for facts: by what status counts, and for each next change in between.
extension Albumd {
    /// Waits until nothing is left to be read, or nothing can be: then the library changes no more by itself.
    func awaitFacts() throws {
        try awaitStatus { $0.facts.waitingCount == 0 || $0.facts.unavailable != nil }
    }

    /// Asks again after each answer; the pass goes on meanwhile, for it needs nobody.
    @discardableResult
    func awaitStatus(_ isReached: (StatusReport) -> Bool) throws -> StatusReport {
        let end = Machine.bootTime() + Albumd.patience
        while Machine.bootTime() < end {
            let report = try status()
            if isReached(report) { return report }
        }
        throw Failure("status is \(try status().facts), and stays so")
    }
}
