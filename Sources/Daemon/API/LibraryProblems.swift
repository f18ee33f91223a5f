import Control
import PhotoModel
import PhotoStore
import Platform

/// What is wrong with the library as a whole: what a rebuild lost, what an audit found of its history, originals gone.
///
/// Pure.
struct LibraryProblems: Sendable, Equatable {
    /// What is lost with the half line that the journal ended in, when the catalogue was rebuilt.
    enum Tear: Sendable, Equatable {
        /// A change of which nothing is left: told until the daemon ends.
        case change
        /// Maybe an original that has no photo now: told until there is no orphan, whatever starts come between.
        case originals
    }

    var tear: Tear?
    var history = HistoryFindings()
    /// The place of originals, where none is left of those that are to be there.
    var emptied: PathBytes?

    var problems: [StatusProblem] {
        [emptied.map(problem(emptied:)), tear.map(problem(of:))].compactMap { $0 } + ofHistory
    }

    private func problem(emptied place: PathBytes) -> StatusProblem {
        let place = printable(place.bytes)
        return StatusProblem(
            what: "'\(place)' has none of the library's originals: it was emptied, or is not the directory of before",
            fix: "put the right one back in its place, then systemctl restart albumd; if it is lost, albumctl repair")
    }

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
                    "the catalogue was rebuilt from a journal that ended in half a line, and orphans may be what it named",
                fix: "albumctl verify names them. \(Orphans.fix)")
        }
    }

    private var ofHistory: [StatusProblem] {
        func problem(_ count: Int, _ what: String, _ fix: String) -> StatusProblem? {
            count == 0 ? nil : StatusProblem(what: what, fix: fix)
        }
        let (lacking, damaged, differing) = (history.lacking, history.damaged, history.differing)
        return [
            problem(lacking, "the journal lacks \(counted(lacking, "change"))", "albumctl repair"),
            problem(
                damaged,
                "\(counted(damaged, "change", one: "is", many: "are")) damaged in the journal or the catalogue",
                "albumctl repair"),
            problem(
                differing,
                "\(counted(differing, "change", one: "is", many: "are")) not the same in journal and catalogue",
                "albumctl verify --deep shows both; \(HistoryFault.advice)"),
        ].compactMap { $0 }
    }
}

extension LibraryService {
    /// Reads what of it changes while albumd runs.
    func libraryProblems(orphans: Int, unsound: Int, in catalogue: Catalogue) throws -> LibraryProblems {
        var found = LibraryProblems(history: knownFaults.found)
        let mayHaveOrphans = orphans > 0 || !library.inspection.hasPassed
        if try mayHaveOrphans && library.directory.wasRebuiltTorn(files: machine.files) {
            found.tear = .originals
        } else if recovery.rebuilt?.isTorn == true {
            found.tear = .change
        }
        if try unsound > 0 && catalogue.hasLostAllOriginals() {
            found.emptied = PathBytes(library.directory.path).appending(Array("originals".utf8))
        }
        return found
    }
}
