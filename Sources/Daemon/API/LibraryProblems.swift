import Control
import PhotoModel
import PhotoStore
import Platform

/// What is wrong with the library as a whole: what a rebuild lost, what an audit found of its history, originals gone.
///
/// Pure.
struct LibraryProblems: Sendable, Equatable {
    /// What a rebuild of the catalogue could not bring back.
    enum Tear: Sendable, Equatable {
        /// A change of which nothing is left: told until the daemon ends.
        case change
        /// Originals have no photo since: told until there is no orphan, whatever starts come between.
        case originals
    }

    var tear: Tear?
    var history = HistoryFindings()
    /// What makes the catalogue anew.
    var rebuilding = "albumctl library rebuild"
    /// The place of originals, where none is left of those that are to be there.
    var emptied: PathBytes?

    var problems: [StatusProblem] {
        [emptied.map(problem(emptied:)), tear.map(problem(of:))].compactMap { $0 } + ofHistory
    }

    private func problem(emptied place: PathBytes) -> StatusProblem {
        let place = printable(place.bytes)
        return StatusProblem(
            what:
                "'\(place)' has none of the library's originals: it was emptied, or is not the directory of before; nothing is stored in it until that is clear",
            fix: LibraryProblems.fixOfEmptied)
    }

    static let fixOfEmptied =
        "put the right one back in its place, then systemctl restart albumd; if it is lost for ever, albumctl repair, which goes on with this one"

    static let fixOfLost = "albumctl repair, which takes it from a snapshot or the cloud where these have it"

    static let fixOfUnwritable =
        "put journal/ of a backup back, with albumd stopped, then albumctl repair; without one the catalogue and snapshots/ "
        + "still have what these changes made, and nothing else does"

    private func problem(of tear: Tear) -> StatusProblem {
        switch tear {
        case .change:
            StatusProblem(
                what:
                    "the catalogue was rebuilt, and the journal ended in half a line: a change, and what it named, is lost",
                fix: "look through what was changed last, and make that change again")
        case .originals:
            StatusProblem(
                what:
                    "the catalogue was rebuilt, and orphans have no photo now: what named them is lost, unless their source is still there and is seen again",
                fix: "albumctl verify names them. \(Orphans.fix)")
        }
    }

    private var ofHistory: [StatusProblem] {
        func problem(_ count: Int, _ what: String, _ fix: String) -> StatusProblem? {
            count == 0 ? nil : StatusProblem(what: what, fix: fix)
        }
        let (lacking, damaged, differing) = (history.lacking, history.damaged, history.differing)
        return [
            problem(
                lacking, "the journal lacks \(counted(lacking, "change"))",
                history.unwritable == lacking ? LibraryProblems.fixOfUnwritable : "albumctl repair"),
            problem(
                damaged,
                "\(counted(damaged, "change", one: "is", many: "are")) damaged in the journal or the catalogue",
                "albumctl repair"),
            problem(
                differing,
                "\(counted(differing, "change", one: "is", many: "are")) not the same in journal and catalogue",
                "albumctl verify --deep shows both; \(HistoryFault.advice)"),
            problem(
                history.lost ?? 0,
                "the catalogue was made without \(counted(history.lost ?? 0, "change")), lost when it was rebuilt",
                LibraryProblems.fixOfLost),
            problem(
                history.rows ?? 0,
                "\(counted(history.rows ?? 0, "row", one: "is", many: "are")) not in the catalogue as its history makes it",
                "make the catalogue anew: \(rebuilding) (albumctl verify --deep names what differs)"),
        ].compactMap { $0 }
    }
}

extension LibraryService {
    /// Reads what of it changes while albumd runs.
    func libraryProblems(orphans: Int) throws -> LibraryProblems {
        var found = LibraryProblems(history: knownFaults.found, rebuilding: rebuilding)
        let mayHaveOrphans = orphans > 0 || !library.inspection.hasPassed
        if try mayHaveOrphans && library.directory.isRebuiltWithOrphans(files: machine.files) {
            found.tear = .originals
        } else if recovery.rebuilt?.isTorn == true {
            found.tear = .change
        }
        if library.isEmptied {
            found.emptied = PathBytes(library.directory.path).appending(Array("originals".utf8))
        }
        return found
    }
}
