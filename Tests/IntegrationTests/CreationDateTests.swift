import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Which date a photo has: each folder says it, for what is imported from then on.
    @BlockingThread struct CreationDates {
        private static let modified: Int64 = 1_000_000_000
        private static let taken = "2019-01-02T03:04:05.000000Z"

        @Test func eachFolderHasTheDateThatItsRuleSays() throws {
            guard access(builtProgram("albumd-media"), X_OK) == 0 else { return print("skipped: no albumd-media") }
            let folders = ["capture", "mtime", "now"].map {
                TestFolder(name: $0, album: $0, lines: ["creation_date = \"\($0)\""])
            }
            try withAlbumd(Setup(folders: folders)) { albumd in
                for (index, folder) in folders.enumerated() { try Self.drop(index, in: folder.name, of: albumd) }
                try albumd.flush()
                try albumd.awaitFacts()
                let rows = try folders.map { try Self.row(in: $0.name, of: albumd) }
                #expect(rows[0].creationDate.rfc3339 == Self.taken && rows[0].creationDateSource == .captured)
                #expect(rows[1].creationDate == Date(microseconds: Self.modified * 1_000_000))
                #expect(rows[2].creationDate == rows[2].addedDate)
                #expect(rows[1].creationDateSource == .given && rows[2].creationDateSource == .given)
                // What it is known by is the same for all.
                #expect(rows.map { $0.facts?.captureDate?.source } == [.filename, .filename, .filename])
                #expect(try albumd.status().folders.map(\.creationDate) == ["capture", "mtime", "now"])
            }
        }

        @Test func anotherRuleIsForLaterImports() throws {
            guard access(builtProgram("albumd-media"), X_OK) == 0 else { return print("skipped: no albumd-media") }
            try withAlbumd { albumd in
                try Self.drop(1, in: "inbox", of: albumd)
                try albumd.flush()
                try albumd.awaitFacts()
                albumd.installation.setup.folders[0].lines = ["creation_date = \"mtime\""]
                try albumd.installation.writeConfiguration()
                #expect(try albumd.albumctl("reload").code == 0)
                try Self.drop(2, in: "inbox", name: "VID_20180102_030405.jpg", of: albumd)
                try albumd.flush()
                try albumd.awaitFacts()
                #expect(try Self.row(in: "inbox", of: albumd).creationDate.rfc3339 == Self.taken)
                let later = try Self.row(in: "inbox", name: "VID_20180102_030405.jpg", of: albumd)
                #expect(later.creationDate == Date(microseconds: Self.modified * 1_000_000))
            }
        }

        @Test func aFolderThatACommandAddsHasTheRuleToo() throws {
            try withAlbumd { albumd in
                let path = albumd.scratch.path("more")
                try albumd.other.makeDirectory(path)
                #expect(try albumd.albumctl("folder", "add", path, "--creation-date", "mtime").code == 0)
                try Self.drop(3, in: "more", of: albumd)
                try albumd.flush()
                #expect(try Self.row(in: "more", of: albumd).creationDateSource == .given)
                try albumd.stop()
                try #require(try albumd.start() == nil)
                #expect(try albumd.status().folders.last?.creationDate == "mtime")
            }
        }

        /// It comes with its times, as a copy does that keeps them.
        private static func drop(
            _ number: Int, in folder: String, name: String = "IMG_20190102_030405.jpg", of albumd: Albumd
        ) throws {
            let aside = albumd.scratch.path("aside")
            try albumd.other.write(aside, SampleMedia.jpeg(number))
            try albumd.other.touch(aside, modified: modified * 1_000_000_000)
            try albumd.other.rename(aside, to: albumd.path(name, in: folder))
        }

        private static func row(
            in folder: String, name: String = "IMG_20190102_030405.jpg", of albumd: Albumd
        ) throws -> AssetRow {
            try albumd.asset(try albumd.identifier(of: albumd.path(name, in: folder)))
        }
    }
}
