import Control
import Glibc
import Platform
import TestSupport
import Testing

extension Integration {
    /// A library that is gone, and whose cloud is not: each advice, followed to the letter, ends in a library that works.
    @BlockingThread struct LostLibraries {
        private nonisolated static let xmp = Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"/></rdf:RDF></x:xmpmeta>
            """.utf8)

        private func loseLibrary(_ albumd: Albumd) throws {
            #expect(try albumd.stop() == .code(0))
            try #require(try run(["rm", "-rf", albumd.installation.library], in: albumd.scratch).end == .code(0))
        }

        /// What stands behind the last colon before `end`, and begins with a command.
        private func advice(_ text: String, from start: String, to end: String) throws -> String {
            let first = try #require(text.firstRange(of: start), "\(text)").lowerBound
            let rest = text[first...]
            return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
        }

        /// The words of an advice, run by a shell, with the programs of the build.
        @discardableResult
        private func follow(_ command: String, _ albumd: Albumd, code: Int32 = 0) throws -> String {
            let socket = albumd.installation.socket
            let script = """
                albumd() { \(albumd.installation.command([]).map { shellWord($0) }.joined(separator: " ")) "${@:3}"; }
                albumctl() { \(shellWord(builtProgram("albumctl"))) --socket \(shellWord(socket)) "$@"; }
                \(command)
                """
            let ended = try run(["bash", "-c", script], in: albumd.scratch)
            #expect(ended.end == .code(code), "\(command): \(ended.output)")
            return ended.output
        }

        @Test func theCloudIsOfferedAndMakesTheLibraryAnew() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.evictAll()
                try loseLibrary(albumd)
                #expect(try albumd.start() == .code(EX_CONFIG))
                let restore = try advice(albumd.log, from: "albumd --config", to: ". If a new")
                _ = try follow(restore, albumd)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try albumd.expectWhole(drops)
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// The history is in the cloud up to the last change, when albumd has ended.
        @Test func whatWasCommittedRightBeforeAStopIsRestored() throws {
            try withAlbumd { albumd in
                let early = try albumd.dropPictures(0..<1)
                try albumd.flush()
                _ = try albumd.settledCloud()
                let late = try albumd.drop("late.jpg", SampleMedia.jpeg(9))
                try albumd.flush()
                let identifiers = try (early + [late]).map { try albumd.identifier(of: $0.path) }
                try loseLibrary(albumd)
                #expect(try albumd.start() == .code(EX_CONFIG))
                // An original that never came to the cloud is missing, which the exit status says.
                try follow(try advice(albumd.log, from: "albumd --config", to: ". If a new"), albumd, code: 3)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try (early + [late]).map { try albumd.identifier(of: $0.path) } == identifiers)
            }
        }

        /// What named them is lost, in the cloud, too: the bytes are there, and no row says so.
        @Test(arguments: ["createAsset", "."])
        func originalsThatLostChangesNamedBecomePhotosAgain(lost: String) throws {
            try withAlbumd(test: "lost-\(lost.count)") { albumd in
                let drops = try albumd.dropPictures(0..<3)
                let name = try #require(drops.first?.path.split(separator: "/").last)
                let note = try albumd.drop("\(name).xmp", Self.xmp)
                try albumd.flush()
                try albumd.evictAll()
                try loseLibrary(albumd)
                for drop in drops + [note] { try albumd.other.unlink(drop.path) }
                let history = shellWord(albumd.installation.library + "-cloud/objects/library")
                let named = "for one in \(history)/changes/*; do grep -qr \(lost) \"$one\" && rm -r \"$one\"; done"
                _ = try follow("rm -r \(history)/snapshots; \(named); true", albumd)
                let restore = albumd.installation.command(["restore", "--from-cloud"])
                #expect(try run(restore, in: albumd.scratch).end == .code(EX_CONFIG))
                #expect(try run(restore + ["--partial"], in: albumd.scratch).end == .code(3))
                try #require(try albumd.start() == nil)
                _ = try albumd.settledCloud()
                let problem = try #require(try albumd.status().problems.first { $0.kind == "unclaimed" })
                #expect(try albumd.status().cloud.unclaimedCount >= drops.count)
                _ = try follow(problem.fix.replacing(", then ", with: " && "), albumd)
                #expect(try !albumd.status().problems.contains { $0.kind == "unclaimed" })
                let there = try albumd.assets().map { try sha256(albumd.original($0.localIdentifier)) }
                #expect(Set(there) == Set((drops + [note]).map { sha256($0.bytes) }))
                #expect(try follow("albumctl album list", albumd).contains("Recovered"))
                #expect(try follow("albumctl cloud recover", albumd).contains("nothing to do"))
            }
        }

        /// Another library's cloud, or none, is not offered.
        @Test func whatTheCloudHasNotIsNotOffered() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<1)
                try albumd.flush()
                try loseLibrary(albumd)
                let cloud = albumd.installation.library + "-cloud"
                try #require(try run(["rm", "-rf", cloud], in: albumd.scratch).end == .code(0))
                #expect(try albumd.start() == .code(EX_CONFIG))
                #expect(!albumd.log.contains("--from-cloud") && albumd.log.contains("volume mounted?"))
                #expect(access(cloud, F_OK) != 0)
            }
        }

        /// A new library was begun in its place, with folders of its own, before anybody thought of the cloud.
        @Test func theCloudMakesItAnewWhereAnotherWasBegunMeanwhile() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.evictAll()
                try loseLibrary(albumd)
                try albumd.other.unlink(albumd.path(".albumd-folder"))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.status().problems.contains { $0.what.contains("belongs to the library") })
                #expect(try albumd.stop() == .code(0))
                let refused = try run(albumd.installation.command(["restore", "--from-cloud"]), in: albumd.scratch)
                #expect(refused.end == .code(EX_CONFIG))
                _ = try follow(try advice(refused.output, from: "mv ", to: "\n"), albumd)
                try #require(try albumd.start() == nil)
                _ = try albumd.settledCloud()
                let problem = try #require(try albumd.status().problems.first { $0.fix.contains("rm ") })
                _ = try follow(try advice(problem.fix, from: "rm ", to: "\n"), albumd)
                try albumd.flush()
                try albumd.expectWhole(drops)
                let left = try albumd.status().problems
                #expect(left.isEmpty, "\(left)")
            }
        }
    }
}
