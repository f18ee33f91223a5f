import Control
import PhotoModel
import Platform

/// How a test waits for facts: by what status counts, and for each next change in between.
extension Albumd {
    /// Waits until nothing is left to be read, or nothing can be, and the journal has it: then the library changes no
    /// more by itself.
    ///
    /// Twice in a row, for the count is there a moment before the token.
    func awaitFacts() throws {
        var last: Int64?
        try awaitStatus { report in
            let isRead = report.facts.waitingCount == 0 || report.facts.unavailable != nil
            defer { last = report.token }
            return isRead && report.journaledToken == report.token && last == report.token
        }
    }

    /// Asks again after each answer; the pass goes on meanwhile, for it needs nobody.
    @discardableResult
    func awaitStatus(_ isReached: (StatusReport) throws -> Bool) throws -> StatusReport {
        let end = Machine.bootTime() + Albumd.patience
        while Machine.bootTime() < end {
            let report = try status()
            if try isReached(report) { return report }
        }
        throw Failure("status is \(try status().facts), and stays so")
    }
}
