import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

extension Integration {
    /// Rows of the catalogue that no page, no index and no check of SQLite shows to be wrong.
    @BlockingThread struct CatalogueRows {
        private static let moving = Setup(folders: [TestFolder(lines: ["mode = \"move\""])])

        /// One bit of the disk: the only copy of the photo is on the disk, and nothing has a row of it.
        @Test func anOriginalWhoseRowIsLostIsNotDiscardedAndComesBack() throws {
            try withAlbumd(Self.moving) { albumd in
                let drops = try albumd.dropPictures(0..<5)
                try albumd.flush()
                try albumd.awaitFacts()
                let before = try albumd.assets()
                #expect(before.count == 5 && drops.allSatisfy { access($0.path, F_OK) != 0 })
                #expect(try albumd.stop() == .code(0))
                try flipBit(ofRowOf: drops[2].hash, albumd)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                let discarding = try albumd.albumctl("repair", "--discard-orphans", "--yes")
                #expect(discarding.output.contains("In all: kept 1"), "\(discarding.output)")
                #expect(discarding.output.contains("albumctl library rebuild --config \(albumd.scratch.path)"))
                #expect(access(albumd.original(of: drops[2]), F_OK) == 0)
                let quick = try albumd.albumctl("verify")
                #expect(quick.code == 3 && quick.output.contains("the history names it"), "\(quick.output)")
                #expect(!quick.output.contains("--discard-orphans"), "\(quick.output)")
                let deep = try albumd.albumctl("verify", "--deep")
                #expect(deep.code == 3 && deep.output.contains("names a row of content that is not there"))
                #expect(try albumd.awaitEnd() == .code(EX_IOERR))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.status().rebuilt != nil)
                #expect(try albumd.assets().map(\.localIdentifier) == before.map(\.localIdentifier))
                for asset in before {
                    let bytes = try albumd.original(asset.localIdentifier)
                    #expect(drops.contains { $0.bytes == bytes })
                }
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try !albumd.status().isDegraded)
            }
        }

        nonisolated static let changes = [
            "UPDATE version SET hash = (SELECT max(hash) FROM version) WHERE hash = (SELECT min(hash) FROM version)",
            "UPDATE asset SET state = 'purged' WHERE id = 2",
            "DELETE FROM albumMember WHERE asset = 3",
            "UPDATE source SET isReleased = 1 WHERE asset = 1",
        ]

        @Test(arguments: changes) func aRowThatNoChangeMadeIsFoundAndMadeAnew(sql: String) throws {
            try withAlbumd(test: "row \(sql.prefix(13))") { albumd in
                let drops = try albumd.dropPictures(0..<5)
                try albumd.flush()
                try albumd.awaitFacts()
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                let before = try albumd.assets()
                #expect(try albumd.stop() == .code(0))
                try change(sql, albumd)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                let found = try albumd.albumctl("verify", "--deep")
                #expect(found.code == 3 && found.output.contains("Found: catalogueDiffers 1."), "\(found.output)")
                #expect(found.output.contains("by its history") || found.output.contains("its history makes it"))
                let advice = "albumctl library rebuild --config \(albumd.scratch.path)/albumd.toml"
                #expect(found.output.contains(advice), "\(found.output)")
                #expect(access(albumd.installation.library + "/catalogue.replayed.sqlite", F_OK) != 0)
                let repair = try albumd.albumctl("repair")
                #expect(repair.code == 3 && repair.output.contains(advice), "\(repair.output)")
                #expect(try albumd.stop() == .code(0))
                try #require(try albumd.start() == nil)
                #expect(try albumd.status().problems.map(\.fix).contains { $0.contains(advice) })
                #expect(try albumd.stop() == .code(0))
                #expect(try rebuild(albumd) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try albumd.assets().map(\.localIdentifier) == before.map(\.localIdentifier))
                try expectImported(drops, by: albumd)
            }
        }

        /// What was lost and given up is no damage that a rebuild would mend.
        @Test func aHistoryWithALostChangeIsNotCompared() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<2)
                try albumd.flush()
                try albumd.awaitFacts()
                #expect(try albumd.stop() == .code(0))
                try change("UPDATE history SET origin = 'lost', changes = '[]' WHERE token = 2", albumd)
                let journal = albumd.installation.library + "/journal"
                let files = LinuxFiles()
                let name = try #require(try files.list(files.openDirectory(Array(journal.utf8))).first?.name)
                let path = Array((journal + "/").utf8) + name
                var lines = try albumd.other.read(path).split(separator: UInt8(ascii: "\n")).map { Array($0) }
                let connection = try Connection(
                    path: albumd.installation.library + "/catalogue.sqlite", mode: .readOnly)
                let date = try connection.first("SELECT date FROM history WHERE token = 2") { $0.integer(0) }
                connection.close()
                let text = Date(microseconds: date ?? 0).rfc3339
                lines[1] = Array(#"{"token":2,"date":"\#(text)","origin":"lost","changes":[]}"#.utf8)
                try albumd.other.write(path, Array(lines.joined(separator: [10])) + [10])
                try #require(try albumd.start() == nil)
                let found = try albumd.albumctl("verify", "--deep")
                #expect(found.code == 0 && found.output.contains("1 change is lost"), "\(found.output)")
                #expect(found.output.contains("as far as it could be compared"), "\(found.output)")
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// The bytes are right, and a number of the catalogue is not: no word that they are lost or corrupt.
        @Test func aSizeThatIsWrongInItsRowIsAFaultOfTheCatalogue() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.awaitFacts()
                let identifier = try albumd.identifier(of: drops[0].path)
                #expect(try albumd.stop() == .code(0))
                let hash = drops[0].hash.hexadecimal
                try change("UPDATE content SET byteCount = byteCount + 1 WHERE hash = X'\(hash)'", albumd)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                for arguments in [["verify"], ["verify", "--deep"]] {
                    let found = try albumd.albumctl(arguments[0], arguments.count > 1 ? arguments[1] : "--sample=1%")
                    #expect(found.code == 3 && found.output.contains("catalogueDiffers"), "\(found.output)")
                    #expect(!found.output.contains("corrupt"), "\(found.output)")
                }
                let repair = try albumd.albumctl("repair")
                #expect(repair.code == 3 && !repair.output.contains("lost"), "\(repair.output)")
                #expect(repair.output.contains("albumctl library rebuild"), "\(repair.output)")
                let safe = try albumd.albumctl("safe", drops[0].path)
                #expect(safe.code != 0 && safe.output.contains("albumctl library rebuild"), "\(safe.output)")
                #expect(safe.output.contains("catalogueDiffers"), "\(safe.output)")
                let reply = try albumd.client.send(.get, "/v1/assets/\(identifier.uuid)/original")
                #expect(reply.status == 500)
                #expect(String(decoding: reply.body, as: UTF8.self).contains("albumctl library rebuild"))
                #expect(try albumd.stop() == .code(0))
                #expect(try rebuild(albumd) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.original(identifier) == drops[0].bytes)
                #expect(try albumd.albumctl("safe", drops[0].path).code == 0)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// The catalogue's history and the journal have lost the same change; something else has it.
        @Test(arguments: ["snapshots", "the cloud"]) func aChangeThatBothSidesLostComesFrom(place: String) throws {
            try withAlbumd(isStarted: false, test: "lost \(place.suffix(5))") { albumd in
                let isCloud = place == "the cloud"
                try albumd.installation.writeConfiguration("[cloud]\nengine = \"\(isCloud ? "simulator" : "none")\"\n")
                try #require(try albumd.start() == nil)
                for number in 0..<4 {
                    try albumd.drop("\(number).jpg", SampleMedia.jpeg(number))
                    try albumd.flush()
                }
                try albumd.awaitFacts()
                #expect(try albumd.stop() == .code(0))
                if !isCloud { try snapshot(albumd) }
                try damageOneChange(albumd)
                try #require(try albumd.start() == nil)
                #expect(try albumd.albumctl("verify", "--deep").code == 3)
                let repair = try albumd.albumctl("repair")
                #expect(repair.code == 0 && repair.output.contains("from \(place)"), "\(repair.output)")
                #expect(!repair.output.contains("lost "), "\(repair.output)")
                let found = try albumd.albumctl("verify", "--deep")
                #expect(found.code == 0, "\(found.output)")
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// The last bit of the key of a row of `content`, in its page of the file.
        private func flipBit(ofRowOf hash: ContentHash, _ albumd: Albumd) throws {
            let path = albumd.installation.library + "/catalogue.sqlite"
            let connection = try Connection(path: path, mode: .readOnly)
            let page = try connection.first("SELECT rootpage FROM sqlite_schema WHERE name = 'content'") { $0.int(0) }
            connection.close()
            var bytes = try albumd.other.read(path)
            let start = (try #require(page) - 1) * 4096
            let place = try #require(bytes[start..<start + 4096].firstRange(of: hash.bytes))
            bytes[place.upperBound - 1] ^= 1
            try albumd.other.write(path, bytes)
        }

        private func change(_ sql: String, _ albumd: Albumd) throws {
            let connection = try Connection(path: albumd.installation.library + "/catalogue.sqlite", mode: .readWrite)
            defer { connection.close() }
            try connection.execute("PRAGMA foreign_keys = OFF; \(sql)")
            #expect(connection.changes > 0)
        }

        private func snapshot(_ albumd: Albumd) throws {
            let connection = try Connection(path: albumd.installation.library + "/catalogue.sqlite", mode: .readWrite)
            defer { connection.close() }
            try connection.backup(to: albumd.installation.library + "/snapshots/catalogue-20260101T000000.sqlite")
        }

        /// What a reader would not take for a change any more, in both.
        private func damageOneChange(_ albumd: Albumd) throws {
            let token = try albumd.damageHistory(.first)
            let journal = albumd.installation.library + "/journal"
            let files = LinuxFiles()
            let name = try #require(try files.list(files.openDirectory(Array(journal.utf8))).first?.name)
            let path = Array((journal + "/").utf8) + name
            let lines = String(decoding: try albumd.other.read(path), as: UTF8.self).split(separator: "\n").map {
                line in
                let isIt = line.hasPrefix(#"{"token":\#(token),"#)
                return isIt ? line.replacing("recordSource", with: "recordSourcd") : line
            }
            try albumd.other.write(path, Array(lines.map { $0 + "\n" }.joined().utf8))
        }

        private func rebuild(_ albumd: Albumd) throws -> Int32 {
            let process = try ChildProcess(
                albumd.installation.command(["--rebuild-library"]), environment: albumd.installation.environment,
                output: albumd.installation.log, deadline: .seconds(60))
            guard case .code(let code) = process.wait(for: .seconds(60)) else { throw Failure("it did not end") }
            return code
        }
    }
}
