import Control
import Glibc
import HTTPClient
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

extension Integration {
    /// One bit of an album's title, in the journal or in the history: another title, that anybody would believe.
    @BlockingThread struct JournalSums {
        nonisolated private static let title = (right: #""title":"Holidays""#, flipped: #""title":"Iolidays""#)

        private func path(_ albumd: Albumd) throws -> [UInt8] {
            let journal = albumd.installation.library + "/journal"
            let name = try #require(try LinuxFiles().list(LinuxFiles().openDirectory(Array(journal.utf8))).first?.name)
            return Array((journal + "/").utf8) + name
        }

        private func journal(_ albumd: Albumd) throws -> String {
            String(decoding: try albumd.other.read(try path(albumd)), as: UTF8.self)
        }

        /// Three photos, an album before the last of them, and a daemon that has ended.
        private func fill(_ albumd: Albumd) throws {
            for number in 0..<3 {
                if number == 2 { #expect(try albumd.albumctl("album", "ensure", "Holidays").code == 0) }
                try albumd.drop("\(number).jpg", SampleMedia.jpeg(number))
                try albumd.flush()
            }
            #expect(try albumd.stop() == .code(0))
        }

        private func spoilJournal(_ albumd: Albumd, hasSums: Bool) throws {
            let whole = try journal(albumd)
            var damaged = whole.replacing(Self.title.right, with: Self.title.flipped)
            try #require(damaged != whole && damaged.contains(#","sum":""#))
            if !hasSums {
                damaged = damaged.split(separator: "\n").map { line in
                    line.ranges(of: #","sum":""#).last.map { line[..<$0.lowerBound] + "}\n" } ?? line + "\n"
                }.joined()
            }
            try albumd.other.write(try path(albumd), Array(damaged.utf8))
        }

        private func spoilHistory(_ albumd: Albumd) throws {
            let connection = try Connection(path: albumd.installation.library + "/catalogue.sqlite", mode: .readWrite)
            defer { connection.close() }
            try connection.run(
                "UPDATE history SET changes = replace(changes, ?, ?)", .text(Self.title.right),
                .text(Self.title.flipped))
        }

        @Test(arguments: [true, false]) func theSideThatIsRightIsKnownAndTheOtherIsMended(isJournal: Bool) throws {
            try withAlbumd(test: "sum journal \(isJournal)") { albumd in
                try fill(albumd)
                let lines = try journal(albumd)
                if isJournal { try spoilJournal(albumd, hasSums: true) } else { try spoilHistory(albumd) }
                try #require(try albumd.start() == nil)
                let quick = try albumd.albumctl("verify")
                #expect(quick.code == (isJournal ? 3 : 0), "\(quick.output)")
                let found = try albumd.albumctl("verify", "--deep")
                let finding = isJournal ? "journalDamaged" : "historyDamaged"
                #expect(found.code == 3 && found.output.contains("\(finding) 1"), "\(found.output)")
                let dry = try albumd.albumctl("repair", "--dry-run")
                #expect(dry.code == 0 && dry.output.contains("In all: wouldRepair 1"), "\(dry.output)")
                #expect(try albumd.status().isDegraded)
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 0 && mended.output.contains("In all: repaired 1"), "\(mended.output)")
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try !albumd.albumctl("history", "--json").output.contains("Iolidays"))
                let after = try journal(albumd)
                #expect(after.contains(Self.title.right) && !after.contains(Self.title.flipped))
                if !isJournal { #expect(after.hasPrefix(lines)) }
                #expect(try albumd.stop() == .code(0))
                try #require(try albumd.start() == nil)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
            }
        }

        /// A rebuild gives nobody the other title: it is refused, until the right line is put back, or the change given up.
        @Test func aCatalogueIsNotRebuiltFromADamagedLine() throws {
            try withAlbumd { albumd in
                try fill(albumd)
                let whole = try journal(albumd)
                try spoilJournal(albumd, hasSums: true)
                unlink(albumd.installation.library + "/catalogue.sqlite")
                let refusal = try #require(try albumd.start())
                #expect(refusal == .code(78) && albumd.log.contains("journal/ back that are missing or damaged"))
                try albumd.other.write(try path(albumd), Array(whole.utf8))
                try #require(try albumd.start() == nil)
                #expect(try albumd.albumctl("album", "list").output.contains("Holidays"))
            }
        }

        /// Without sums nobody can know: a person says which it is, and photos and albums stay as they are.
        @Test(arguments: HistorySide.allCases) func ofOlderLinesAPersonTakesOneSide(side: HistorySide) throws {
            try withAlbumd(test: "side \(side)") { albumd in
                try fill(albumd)
                try spoilJournal(albumd, hasSums: false)
                try #require(try albumd.start() == nil)
                let found = try albumd.albumctl("verify", "--deep")
                #expect(found.code == 3 && found.output.contains("historyDiffers 1"), "\(found.output)")
                #expect(found.output.contains("albumctl repair --history catalogue"), "\(found.output)")
                let refused = try albumd.albumctl("repair")
                #expect(refused.code == 3 && refused.output.contains("In all: failed 1"), "\(refused.output)")
                let problem = try #require(try albumd.status().problems.first)
                #expect(problem.fix.contains("albumctl repair --history catalogue, or --history journal"))
                let before = try journal(albumd)
                let dry = try albumd.albumctl("repair", "--history", side.rawValue, "--dry-run")
                #expect(dry.code == 0 && dry.output.contains("In all: wouldRepair 1"), "\(dry.output)")
                #expect(try journal(albumd) == before && albumd.status().isDegraded)
                let mended = try albumd.albumctl("repair", "--history", side.rawValue)
                #expect(mended.code == 0 && mended.output.contains("In all: repaired 1"), "\(mended.output)")
                // Where it is the journal's, the row of the album is another than what the history now says.
                let after = try albumd.albumctl("verify", "--deep")
                #expect(after.output.contains("catalogueDiffers") == (side == .journal), "\(after.output)")
                #expect(after.code == (side == .journal ? 3 : 0))
                #expect(try albumd.status().isDegraded == (side == .journal))
                #expect(try albumd.albumctl("album", "list").output.contains("Holidays"))
                #expect(try albumd.stop() == .code(0))
                unlink(albumd.installation.library + "/catalogue.sqlite")
                try #require(try albumd.start() == nil)
                let title = side == .catalogue ? "Holidays" : "Iolidays"
                #expect(try albumd.albumctl("album", "list").output.contains(title))
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
            }
        }

        @Test func aSideIsForARepairAlone() throws {
            try withAlbumd { albumd in
                let request = RepairRequest(discardOrphans: true, history: .journal)
                let answer = try albumd.client.send(.post, "/v1/repair", body: JSON.encode(request))
                #expect(answer.status == 400)
                #expect(try albumd.albumctl("repair", "--history", "both").code == 2)
                #expect(try albumd.albumctl("repair", "--history", "journal", "--discard-orphans").code == 2)
            }
        }
    }
}
