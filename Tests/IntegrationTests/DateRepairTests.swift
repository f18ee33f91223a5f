import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Clocks that said no zone, through the real worker, daemon and `albumctl`.
    @BlockingThread struct DateRepair {
        /// What the satellites' time of each says (exiftool); of the last one nothing is proven.
        private static let zones = [
            "jpeg-exif/IMG_4120.JPG": 7200, "live-photos/IMG_0728.JPG": -28_800, "jpeg-exif/GoPro.jpg": -14_400,
            "jpeg-exif/FurnaceCreekInn.jpg": nil,
        ]

        @Test func aZoneIsShownWithItsProofThenGivenThenTakenBack() throws {
            guard let corpus = FactsCorpus(), access(builtProgram("albumd-media"), X_OK) == 0 else {
                return print("skipped: no corpus, or no albumd-media")
            }
            try withAlbumd { albumd in
                let entries = corpus.singleFiles.filter { Self.zones[$0.path] != nil }
                for entry in entries { try albumd.drop(entry.flatName, corpus.bytes(of: entry)) }
                // It has no tags, and says nothing of a clock.
                let takeout = #"{"title": "x", "description": "y", "photoTakenTime": {"timestamp": "1"}}"#
                try albumd.drop("jpeg-exif-IMG_4120.JPG.json", Array(takeout.utf8))
                try albumd.flush()
                try albumd.awaitFacts()
                let before = try rows(of: entries, by: albumd)
                let token = try albumd.status().token
                let shown = try albumd.albumctl("date", "repair", "Inbox")
                #expect(shown.code == 0 && shown.output.contains("+02:00") && shown.output.contains("gps"))
                #expect(shown.output.contains("without a proof"), "\(shown.output)")
                #expect(try albumd.status().token == token)

                let given = try albumd.albumctl("date", "repair", "Inbox", "--apply")
                #expect(given.code == 0, "\(given.output)")
                for (row, old) in zip(try rows(of: entries, by: albumd), before) {
                    let entry = try #require(entries.first { $0.flatName == row.originalFilename })
                    let zone = Self.zones[entry.path] ?? nil
                    #expect(row.facts?.captureDate?.offset == zone, "\(entry.path)")
                    #expect(row.facts?.captureDate?.localTime == old.facts?.captureDate?.localTime)
                    #expect(row.creationDate == old.creationDate.addingTimeInterval(-Double(zone ?? 0)))
                    #expect(row.facts?.zoneProof?.kind == zone.map { _ in .gps })
                }
                #expect(try albumd.albumctl("date", "repair", "Inbox").output.contains("Nothing to repair."))

                #expect(try albumd.albumctl("undo", "\(try albumd.status().token)").code == 0)
                #expect(try rows(of: entries, by: albumd) == before)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        private func rows(of entries: [FactsCorpus.Entry], by albumd: Albumd) throws -> [AssetRow] {
            try entries.map { try albumd.asset(try albumd.identifier(of: albumd.path($0.flatName))) }
        }
    }
}
