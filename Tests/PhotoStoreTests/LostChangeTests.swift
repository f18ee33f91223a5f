import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// A line that stands for a lost change is no whole side of it, wherever it stands.
@Suite struct LostChangeTests {
    private static let catalogue = Array("/library/catalogue.sqlite".utf8)

    /// Three changes: assets `a`, `b`, and a folder with a source.
    private func withLibrary(
        _ test: String = #function, _ body: (SimulatedLibrary, PhotoLibrary) throws -> Void
    ) throws {
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try library.importAssets(["b"], first: 2)
                try library.perform(Sample.registration(), Sample.source("1.jpg", 2))
            }
            try home.catchUp()
            try body(home, library)
        }
    }

    private func path(_ home: SimulatedLibrary) throws -> [UInt8] {
        Array("/library/journal/\(try #require(try home.names("journal").first))".utf8)
    }

    private func lines(_ home: SimulatedLibrary) throws -> [String] {
        String(decoding: try home.program.read(path(home)), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func write(_ lines: [String], _ home: SimulatedLibrary) throws {
        try home.program.write(path(home), Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func placeholder(_ library: PhotoLibrary) throws -> String {
        try library.onThread { library in
            let date = try #require(try library.catalogue.historyLine(3)?.date)
            return HistoryLine.lost(2, at: date).journalText
        }
    }

    /// As a rebuild with `--partial` leaves it.
    private func lose(_ token: Int64, in library: PhotoLibrary) throws {
        try library.inside { library throws in
            let date = try #require(try library.catalogue.historyLine(3)?.date)
            try library.catalogue.connection.run(
                "UPDATE history SET origin = 'lost', changes = '[]', date = ? WHERE token = ?", .date(date),
                .integer(token))
        }
    }

    private func faults(_ home: SimulatedLibrary, _ library: PhotoLibrary) throws -> [HistoryFault] {
        let reader = JournalReader(files: home.files, directory: library.directory.journal)
        return try library.onThread { library in
            var (audit, isMore) = (try HistoryAudit(reader, upTo: 3), true)
            while isMore { (audit, isMore) = try audit.advanced(in: library.catalogue) }
            return audit.faults
        }
    }

    /// Nobody may write it over a line that is nearly whole.
    @Test func itIsNoWholeSideOfADamagedLine() throws {
        try withLibrary { home, library in
            var lines = try lines(home)
            lines[1] = lines[1].replacing("\"b", with: "\"c")
            try write(lines, home)
            try lose(2, in: library)
            #expect(try faults(home, library) == [])
            #expect(try library.onThread { try $0.catalogue.unreadableChanges(among: 1...3) } == [2])
            // And not where the journal says, too, that it is lost.
            try write(lines + [try placeholder(library), lines[2]], home)
            #expect(try faults(home, library) == [])
            let audit = try JournalAudit(
                JournalReader(files: home.files, directory: library.directory.journal), upTo: 3)
            #expect(audit.givenUp == [2...2] && audit.gaps == [] && audit.damaged.keys.sorted() == [2])
        }
    }

    @Test func aWholeLineOfTheJournalIsTakenOverIt() throws {
        try withLibrary { home, library in
            try lose(2, in: library)
            let fault = try #require(try faults(home, library).first)
            #expect(fault.side == .history && fault.historyText == nil)
            #expect(try library.onThread { try $0.mendHistory(fault) })
            #expect(try faults(home, library) == [])
            #expect(try library.onThread { try $0.catalogue.lostTokens() } == [])
        }
    }

    /// Whatever its date says: that of another change stands in for it.
    @Test func inTheJournalItIsNoOtherHistoryAndIsMended() throws {
        try withLibrary { home, library in
            let whole = try lines(home)
            let lost = try placeholder(library)
            try write([whole[0], lost, whole[2]], home)
            #expect(try faults(home, library).map(\.side) == [.journal])
            // Beside the whole line nobody reads it.
            try write([whole[0], lost, whole[2], whole[1], whole[2]], home)
            #expect(try faults(home, library) == [])
        }
    }

    @Test(arguments: [true, false]) func theWholeLineIsReadWhereBothStand(isFirst: Bool) throws {
        try withLibrary("first \(isFirst)") { home, library in
            let whole = try lines(home)
            let lost = try placeholder(library)
            try write(
                isFirst ? whole + [lost, whole[2]] : [whole[0], lost, whole[2], whole[1], whole[2]], home)
            var lines = try JournalReader(files: home.files, directory: library.directory.journal).lines(after: 0)
            #expect(lines.conflict == nil && lines.count == 3)
            var read: [JournalLine] = []
            while let line = try lines.next() { read.append(line) }
            #expect(read.map(\.token) == [1, 2, 3] && !read.contains(where: \.isLost))
        }
    }

    private func removeCatalogue(_ home: SimulatedLibrary) throws {
        home.close()
        try home.program.unlink(Self.catalogue)
        home.disk.unlink("/library/catalogue.sqlite")
    }

    private func rebuild(
        _ home: SimulatedLibrary, isDryRun: Bool = false, isPartial: Bool = false, from found: [FoundChange] = []
    ) throws -> PhotoLibrary.RebuildOutcome {
        var options = PhotoLibrary.RebuildOptions()
        (options.isDryRun, options.isPartial) = (isDryRun, isPartial)
        return try PhotoLibrary.rebuild(
            home.path, machine: home.simulated.machine, options: options, vfs: home.disk.name,
            elsewhere: { tokens, _ in found.filter { tokens.contains($0.line.token) } }, progress: { _, _ in })
    }

    /// It was given up once: no start is stuck on it, and how much it was is said.
    @Test func whatTheJournalSaysIsLostIsPassedOverByEveryRebuild() throws {
        try withLibrary { home, library in
            let whole = try lines(home)
            try write([whole[0], try placeholder(library), whole[2]], home)
            try removeCatalogue(home)
            let rebuilt = try #require(try home.open().onThread { $0.recovery.rebuilt })
            // The source that has the lost asset.
            #expect(rebuilt.lostChanges == 1 && rebuilt.skippedRequests == 1 && rebuilt.contents.assets == 1)
            #expect(rebuilt.sentence.contains("1 change is lost, and 1 request"))
        }
    }

    private func damageSecondLine(_ home: SimulatedLibrary) throws {
        var lines = try lines(home)
        lines[1] = lines[1].replacing("\"b", with: "\"c")
        try write(lines, home)
    }

    /// The refusal names the change and its file, and says nothing of a catalogue that is not there.
    @Test func aDryRunSaysWhatTheRealRunWouldSay() throws {
        try withLibrary { home, _ in
            try damageSecondLine(home)
            try removeCatalogue(home)
            let month = try #require(try home.names("journal").first)
            let dry = try rebuild(home, isDryRun: true)
            let refusal = try #require(dry.refusal)
            let which = "change 2, whose line in journal/\(month) is damaged"
            #expect(refusal == .changesLost(which, wasCloudAsked: true))
            #expect(throws: refusal) { try rebuild(home) }
            #expect(throws: LibraryError.changesLost(which, wasCloudAsked: false)) { try home.open() }
            home.close()
            let partial = try rebuild(home, isDryRun: true, isPartial: true)
            let real = try rebuild(home, isPartial: true)
            #expect(partial.refusal == nil && real.report.contents.assets == 1 && real.report.skippedRequests == 1)
            for one in [dry, partial] {
                #expect(one.report.contents == real.report.contents && one.report.lostChanges == 1)
                #expect(one.report.skippedRequests == real.report.skippedRequests)
            }
        }
    }

    /// An older catalogue was put back.
    @Test func whatKeepsACatalogueFromComingUpToDateIsNamed() throws {
        try withLibrary { home, library in
            try library.inside { library throws in
                try library.catalogue.connection.run("DELETE FROM history WHERE token > 1")
            }
            try damageSecondLine(home)
            home.close()
            #expect { try home.open() } throws: {
                "\($0)".contains("without change 2, whose line in journal/") && "\($0)".contains("library rebuild, or")
            }
        }
    }

    @Test func aDryRunFindsWhatDoesNotFollow() throws {
        try withLibrary { home, library in
            let whole = try lines(home)
            let date = try library.onThread { try $0.catalogue.historyLine(2)?.date }
            let other = HistoryLine(token: 2, date: try #require(date), origin: "x", changes: "[]")
            try write([whole[0], other.journalText, whole[2]], home)
            try removeCatalogue(home)
            let dry = try rebuild(home, isDryRun: true)
            guard case .journalUnfit(3, _) = dry.refusal else {
                Issue.record("\(String(describing: dry.refusal))")
                return
            }
            #expect(dry.report.skippedRequests == 1)
        }
    }

    /// From wherever it is whole; the journal has it then, too, and nothing is left to be told.
    @Test(arguments: [true, false]) func aRebuildTakesWhatIsLostFromElsewhere(isGivenUp: Bool) throws {
        try withLibrary("given up \(isGivenUp)") { home, library in
            let whole = try lines(home)
            let found = FoundChange(
                try #require(JournalLine(intact: Array(whole[1].utf8)[...])), in: "the cloud, somewhere")
            if isGivenUp {
                try write([whole[0], try placeholder(library), whole[2]], home)
            } else {
                try damageSecondLine(home)
            }
            home.close()
            let before = try home.dump(except: ["decision", "clock"])
            try removeCatalogue(home)
            let dry = try rebuild(home, isDryRun: true, from: [found])
            #expect(dry.refusal == nil && dry.plan.isComplete && dry.report.lostChanges == 0)
            let real = try rebuild(home, from: [found])
            #expect(real.report.brought == [found] && real.report.skippedRequests == 0)
            #expect(try home.dump(except: ["decision", "clock"]) == before)
            #expect(try lines(home).contains(whole[1]))
        }
    }
}
