import Control
import Glibc
import HTTPClient
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

extension Integration {
    /// A change that neither journal nor catalogue has whole: it comes back from what has it, and nothing stands in for it.
    @BlockingThread struct LostChanges {
        private func path(_ albumd: Albumd) throws -> String {
            let journal = albumd.installation.library + "/journal"
            let names = try LinuxFiles().list(LinuxFiles().openDirectory(Array(journal.utf8)))
            return journal + "/" + String(decoding: try #require(names.first).name, as: UTF8.self)
        }

        private func lines(_ albumd: Albumd) throws -> [String] {
            String(decoding: try albumd.other.read(try path(albumd)), as: UTF8.self).split(separator: "\n").map {
                String($0)
            }
        }

        private func rebuild(_ albumd: Albumd, _ options: String...) throws -> Int32 {
            let process = try ChildProcess(
                albumd.installation.command(["--rebuild-library"] + options),
                environment: albumd.installation.environment, output: albumd.installation.log, deadline: .seconds(60))
            guard case .code(let code) = process.wait(for: .seconds(60)) else { throw Failure("it did not end") }
            return code
        }

        private func loseCatalogue(_ albumd: Albumd) {
            for suffix in ["", "-wal", "-shm"] { unlink(albumd.installation.library + "/catalogue.sqlite" + suffix) }
        }

        /// Three photos, one change each, and more; the second photo's line damaged, the catalogue gone, no snapshot.
        ///
        /// Returns the token, and the line as it was and as it is.
        private func fillAndLose(
            _ albumd: Albumd, isInCloud: Bool = true
        ) throws -> (token: Int, whole: String, damaged: String) {
            for number in 0..<3 {
                try albumd.drop("\(number).jpg", SampleMedia.jpeg(number))
                try albumd.flush()
            }
            try albumd.awaitFacts()
            if isInCloud { _ = try albumd.cloud("verify", CloudRequest(all: true)) }
            _ = try albumd.settledCloud()
            #expect(try albumd.stop() == .code(0))
            loseCatalogue(albumd)
            let cloud = albumd.installation.library + "-cloud"
            let away = isInCloud ? "" : " \(shellWord(cloud + "/objects/library/changes"))"
            let gone = "rm -rf \(shellWord(albumd.installation.library))/snapshots/* \(away)"
            try #require(try run(["/bin/sh", "-c", gone], in: albumd.scratch).end == .code(0))
            var lines = try lines(albumd)
            let index = try #require(lines.firstIndex { $0.contains("createAsset") && $0.contains("1.jpg") })
            let whole = lines[index]
            lines[index] = whole.replacing("1.jpg", with: "9.jpg")
            try albumd.other.write(try path(albumd), Array(lines.joined(separator: "\n").utf8) + [10])
            return (index + 1, whole, lines[index])
        }

        @Test func theCloudGivesBackWhatARebuildGaveUp() throws {
            try withAlbumd { albumd in
                let (token, whole, damaged) = try fillAndLose(albumd)
                // Without its cloud a rebuild has to give it up.
                let cloud = albumd.installation.library + "-cloud"
                try #require(rename(cloud, cloud + ".away") == 0)
                #expect(try albumd.start() == .code(78))
                #expect(try rebuild(albumd, "--partial") == 0)
                try #require(rename(cloud + ".away", cloud) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.status().problems.contains { $0.what.contains("made without 1 change") })
                for found in [try albumd.albumctl("verify"), try albumd.albumctl("verify", "--deep")] {
                    #expect(found.code == 3 && found.output.contains("changeLost 1"), "\(found.output)")
                    #expect(found.output.contains("change \(token) is lost in the catalogue, and damaged in journal/"))
                }
                #expect(try lines(albumd).contains(damaged))
                let dry = try albumd.albumctl("repair", "--dry-run")
                #expect(dry.output.contains("from the cloud, library/changes/"), "\(dry.output)")
                let mended = try albumd.albumctl("repair")
                #expect(mended.output.contains("from the cloud, library/changes/"), "\(mended.output)")
                #expect(mended.code == 3 && mended.output.contains("made without what came back: change \(token)"))
                #expect(mended.output.contains("library rebuild"), "\(mended.output)")
                let after = try lines(albumd)
                #expect(after.contains(whole) && !after.contains { $0.contains("lost") })
                let deep = try albumd.albumctl("verify", "--deep")
                #expect(deep.code == 3 && deep.output.contains("library rebuild"), "\(deep.output)")
                #expect(!deep.output.contains("changeLost") && !deep.output.contains("journalDamaged"))
                // To the letter, as it was said.
                #expect(try albumd.stop() == .code(0))
                #expect(try rebuild(albumd) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                let sound = try albumd.albumctl("verify", "--deep")
                #expect(sound.code == 0, "\(sound.output)")
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.cloud("verify", CloudRequest(all: true)).counts["different"] == nil)
            }
        }

        /// The dry run says it beforehand, and nothing is given up that the cloud has.
        @Test func aRebuildTakesFromTheCloudWhatTheJournalLost() throws {
            try withAlbumd { albumd in
                let (token, whole, _) = try fillAndLose(albumd)
                #expect(try albumd.start() == .code(78))
                #expect(albumd.log.contains("without change \(token), whose line in journal/"), "\(albumd.log)")
                #expect(
                    albumd.log.contains(
                        "take it from a snapshot or the cloud where these have it: albumctl library rebuild"))
                #expect(try rebuild(albumd, "--dry-run") == 0)
                #expect(albumd.log.contains("From the cloud, library/changes/"), "\(albumd.log)")
                #expect(albumd.log.contains("Would come back: 3 assets"), "\(albumd.log)")
                #expect(try rebuild(albumd) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.assets().count == 3 && lines(albumd).contains(whole))
                // What is left is the damaged line, whose change stands in another.
                _ = try albumd.albumctl("verify", "--deep")
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 0, "\(mended.output)")
                let deep = try albumd.albumctl("verify", "--deep")
                #expect(deep.code == 0, "\(deep.output)")
            }
        }

        /// No place has it: what is left of it stays, and that it is lost is told once more at each step until it was repaired.
        @Test func whatNoPlaceHasIsLostAndNothingIsWrittenOverWhatIsLeftOfIt() throws {
            try withAlbumd { albumd in
                let (token, _, damaged) = try fillAndLose(albumd, isInCloud: false)
                #expect(try albumd.start() == .code(78))
                #expect(try rebuild(albumd, "--dry-run") == 78)
                #expect(albumd.log.contains("With --partial would come back: 2 assets"), "\(albumd.log)")
                #expect(try rebuild(albumd) == 78)
                #expect(try rebuild(albumd, "--partial", "--dry-run") == 0)
                #expect(albumd.log.contains("Would come back: 2 assets"), "\(albumd.log)")
                #expect(try rebuild(albumd, "--partial") == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                _ = try albumd.settledCloud()
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 3 && mended.output.contains("In all: lost 1"), "\(mended.output)")
                #expect(mended.output.contains("change \(token), and what it named"), "\(mended.output)")
                #expect(try lines(albumd).contains(damaged))
                let again = try albumd.albumctl("repair")
                #expect(again.code == 0, "\(again.output)")
                let found = try albumd.albumctl("verify", "--deep")
                #expect(found.code == 0 && found.output.contains("1 change is lost"), "\(found.output)")
                // It was given up: no start is stuck on it.
                let before = try albumd.assets().map(\.localIdentifier)
                #expect(try albumd.stop() == .code(0))
                loseCatalogue(albumd)
                #expect(try rebuild(albumd, "--dry-run") == 0)
                #expect(albumd.log.contains("Given up: 1 change is lost, and "), "\(albumd.log)")
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.assets().map(\.localIdentifier) == before)
                #expect(try albumd.status().rebuilt?.contains("1 change is lost") == true)
                #expect(try lines(albumd).contains(damaged))
            }
        }
    }
}
