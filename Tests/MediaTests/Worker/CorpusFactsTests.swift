import FoundationEssentials
import Media
import MediaFacts
import Testing

/// The real worker over the whole corpus, held against what exiftool, ffprobe and vipsheader say.
@Suite struct CorpusFactsTests {
    /// Exactly the deviations that `docs/media.md` lists, with their reasons: one that is gone leaves the list.
    @Test func theWorkerReadsWhatOtherReadersDo() throws {
        guard let bench = WorkerBench(), let entries = try Corpus.entries(), let columns = Corpus.columns() else {
            return
        }
        let recogniser = try MediaRecogniser()
        var found: Set<Deviation> = []
        for entry in entries where !entry.isBad && !["AAE", "JSON"].contains(entry.format) {
            switch try bench.read(entry, recogniser) {
            case .facts(let facts):
                found.formUnion(ManifestComparison(entry.path, columns[entry.path] ?? [:], facts).deviations)
            default: found.insert(Deviation(path: entry.path, column: "all", told: ""))
            }
        }
        let listed = Set(try Deviation.listed())
        for deviation in found where !listed.contains(deviation) {
            Issue.record("\(deviation.path): \(deviation.column) is read as '\(deviation.told)'")
        }
        for deviation in listed where !found.contains(deviation) {
            Issue.record("docs/media.md lists \(deviation.path), \(deviation.column), which is none")
        }
    }

    /// RULES I37: bombs, loops and cut files cost nothing but their own facts, and no time.
    @Test func nothingDamagedHarmsTheWorkerOrTakesLong() throws {
        guard let bench = WorkerBench(), let entries = try Corpus.entries() else { return }
        let recogniser = try MediaRecogniser()
        for entry in entries where entry.isBad {
            // After 30 s the door gives up on a file, and says so.
            if case .unreadable(let reason) = try bench.read(entry, recogniser) {
                #expect(!reason.contains("gave up"), "\(entry.path): \(reason)")
            }
        }
        #expect(bench.worker.tryTheLock() != nil)
    }

    /// What no camera makes is not passed on.
    @Test(arguments: ["bad/17000x17000.avif", "bad/giant-image.jpg"])
    func aSizeThatIsNotCredibleIsNoFact(_ path: String) throws {
        guard let bench = WorkerBench(), let entry = try Corpus.entries()?.first(where: { $0.path == path }) else {
            return
        }
        switch try bench.read(entry, MediaRecogniser()) {
        case .facts(let facts):
            #expect(facts.codedSize == nil)
            #expect(facts.faults.contains { $0.contains("not credible") })
        case .unreadable(let reason): #expect(reason.contains("not credible"))
        case let other: Issue.record("it is read as \(String(describing: other))")
        }
    }
}
