import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Names that somebody chose to do harm with.
    @BlockingThread struct HostileNames {
        private static let terminal = [
            "title\u{1B}]0;gone\u{7}.jpg", "clip\u{1B}]52;c;cm0=\u{7}.jpg", "over\rwritten.jpg", "new\nline.jpg",
            "turned\u{202E}gpj.jpg", "wide\u{200B}less.jpg", "del\u{7F}.jpg", "c1\u{9B}31m.jpg",
        ]

        /// X01: what a terminal would obey reaches no reply and no log (RULES I24).
        @Test func nothingThatATerminalObeysIsRepeated() throws {
            try withAlbumd(Setup(logLevel: "debug")) { albumd in
                var drops = try Self.terminal.enumerated().map { try albumd.drop($1, SampleMedia.jpeg($0)) }
                drops.append(try drop([0x78, 0x9B, 0x33, 0x31, 0x6D], SampleMedia.jpeg(99), by: albumd))
                let text = try albumd.drop("\u{1B}[2Jnotes.jpg", Array("text".utf8))
                try albumd.flush()
                #expect(try albumd.assets().count == drops.count)
                let subject = JSON.encode(SubjectRequest(path: PathBytes(text.path)))
                let replies = [
                    try albumd.client.send(.get, "/v1/assets"), try albumd.client.send(.get, "/v1/pending"),
                    try albumd.client.send(.get, "/v1/changes"), try albumd.client.send(.post, "/v1/plan"),
                    try albumd.client.send(.post, "/v1/why", body: subject),
                    try albumd.client.send(.get, "/v1/status"), try albumd.client.send(.get, "/v1/metrics"),
                ]
                for reply in replies {
                    #expect(reply.isSuccess && obeyed(reply.body).isEmpty, "\(obeyed(reply.body))")
                }
                #expect(obeyed(Array(albumd.log.utf8)).isEmpty)
            }
        }

        private func obeyed(_ bytes: [UInt8]) -> [Unicode.Scalar] {
            String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { scalar in
                switch scalar.properties.generalCategory {
                case .control: scalar != "\n"
                case .format, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            }
        }

        private func drop(_ name: [UInt8], _ bytes: [UInt8], by albumd: Albumd) throws -> Drop {
            try albumd.other.write(Array(albumd.path("").utf8) + name, bytes)
            return Drop(path: "", bytes: bytes)
        }

        /// X03, X04: no name is ever a command, an option or a pattern.
        @Test func aNameIsNeverRunAndNeverAnOption() throws {
            let names = [
                "$(touch pwned).jpg", "`touch pwned`.jpg", "a;touch pwned;.jpg", "a|touch pwned.jpg", "-rf.jpg",
                "--help", "*.jpg", "%s%n.jpg", "'quoted'.jpg", "\"; DROP TABLE asset; --.jpg", "~root.jp", " .jpg",
            ]
            try withAlbumd { albumd in
                let drops = try names.enumerated().map { try albumd.drop($1, SampleMedia.jpeg($0)) }
                let expected = drops.filter { !$0.path.hasSuffix("~root.jp") }
                try albumd.flush()
                try expectImported(expected, by: albumd)
                let found = try run(["find", albumd.scratch.path, "-name", "pwned"], in: albumd.scratch)
                #expect(found.output == "")
            }
        }

        /// X05: what looks like a picture and is none of the things that can be read to an end.
        @Test func pipesSocketsAndDevicesAreNamedAndNeverOpened() throws {
            try withAlbumd { albumd in
                try albumd.other.makeFIFO(albumd.path("pipe.jpg"))
                try albumd.other.makeSymlink(albumd.path("zero.jpg"), to: "/dev/zero")
                let socket = try NotifySocket(at: albumd.path("socket.jpg"))
                let drop = try albumd.drop("real.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.reconcile()
                try expectImported([drop], by: albumd)
                for (name, reason) in [
                    ("pipe.jpg", "notRegular"), ("zero.jpg", "symlink"), ("socket.jpg", "notRegular"),
                ] {
                    let summary = try albumd.why(albumd.path(name)).summary
                    #expect(summary.contains("skipped (\(reason))"), "\(name): \(summary)")
                }
                #expect(socket.receive(within: .zero) == nil)
            }
        }

        /// A file that becomes a pipe under its name: nothing hangs, and what was imported stays.
        @Test func aFileReplacedByAPipeHangsNobody() throws {
            try withAlbumd { albumd in
                let first = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                let second = try albumd.drop("b.jpg", SampleMedia.jpeg(2))
                try albumd.flush()
                for drop in [first, second] {
                    try albumd.other.unlink(drop.path)
                    try albumd.other.makeFIFO(drop.path)
                }
                let third = try albumd.drop("c.jpg", SampleMedia.jpeg(3))
                try albumd.flush()
                try albumd.reconcile()
                try expectImported([third], by: albumd)
                #expect(try albumd.assets().count == 3)
                try albumd.other.unlink(first.path)
                let again = try albumd.drop("a.jpg", SampleMedia.jpeg(4))
                try albumd.flush()
                try expectImported([again], by: albumd)
            }
        }

        /// X07: a symlink where the library keeps originals, and a directory whose name begins as the library's.
        @Test func nothingIsWrittenThroughASymlinkInTheLibrary() throws {
            try withAlbumd(isStarted: false) { albumd in
                let library = albumd.installation.library
                try albumd.start()
                try albumd.stop()
                let bytes = SampleMedia.jpeg(1)
                let shard = sha256(bytes).hexadecimal.prefix(2)
                try albumd.other.makeDirectory(albumd.scratch.path("elsewhere"))
                try albumd.other.makeDirectory("\(library)/originals-x")
                try albumd.other.makeSymlink("\(library)/originals/\(shard)", to: albumd.scratch.path("elsewhere"))
                try albumd.start()
                let drop = try albumd.drop("a.jpg", bytes)
                try albumd.flush()
                #expect(try albumd.mapping(drop.path) == nil)
                #expect(try albumd.pending().first?.reason == .ioError)
                let found = try run(["find", albumd.scratch.path("elsewhere"), "-type", "f"], in: albumd.scratch)
                #expect(try albumd.other.read(drop.path) == bytes && found.output == "")
            }
        }

        /// X08: a path in a URL, and a path in a body that climbs out of its folder.
        @Test func aURLThatClimbsIsRefused() throws {
            let targets = [
                "/v1/assets/%2e%2e/status", "/v1/assets/..%2f..%2fstatus", "/v1/%252e%252e/status", "/v1/status%00",
                "//etc/passwd", "/../../etc/passwd", "/v1/assets/../../../etc/passwd", "http://elsewhere/v1/status",
            ]
            try withAlbumd { albumd in
                for target in targets {
                    let client = try RudeClient(to: albumd.installation.socket)
                    client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    let answer = client.receive()
                    let isRefused = answer.hasPrefix("HTTP/1.1 400") || answer.hasPrefix("HTTP/1.1 404")
                    #expect(isRefused, "\(target): \(answer)")
                }
            }
        }

        @Test func aPathThatClimbsOutOfItsFolderOpensNothing() throws {
            try withAlbumd { albumd in
                try albumd.other.write(albumd.scratch.path("secret.jpg"), SampleMedia.jpeg(1))
                for path in ["../secret.jpg", "sub/../../secret.jpg", "./../secret.jpg"] {
                    let body = JSON.encode(SubjectRequest(path: PathBytes(albumd.path(path))))
                    let story = try albumd.client.send(.post, "/v1/why", body: body)
                    #expect(story.status == 404 || !String(decoding: story.body, as: UTF8.self).contains("\"asset\""))
                    _ = try albumd.client.send(.post, "/v1/retry", body: body)
                }
                try albumd.flush()
                #expect(try albumd.assets().isEmpty)
            }
        }

        /// X11: a name cannot write a line of its own into the log.
        @Test func aLineBreakInANameForgesNoLogLine() throws {
            try withAlbumd { albumd in
                let name = "holiday\nerror: forged"
                try albumd.other.makeDirectory(albumd.scratch.path(name))
                let path = PathBytes(albumd.scratch.path(name))
                let row: FolderRow = try albumd.post("/v1/folders", FolderRequest(path: path))
                #expect(PathBytes(row.path) == path)
                try albumd.flush()
                #expect(albumd.log.contains("holiday\\x0aerror: forged"))
                #expect(!albumd.log.contains("\nerror: forged"))
            }
        }

        /// X12, X13: names that are no text stay apart, and come back byte for byte.
        @Test func namesThatAreNoTextAreKeptByteForByte() throws {
            try withAlbumd { albumd in
                let names: [[UInt8]] = [
                    [0x4A, 0xF1] + Array(".jpg".utf8), [0xFF, 0xFE] + Array(".jpg".utf8),
                    [0xFE, 0xFF] + Array(".jpg".utf8), Array("\u{FFFD}\u{FFFD}.jpg".utf8),
                ]
                for (number, name) in names.enumerated() { _ = try drop(name, SampleMedia.jpeg(number), by: albumd) }
                try albumd.flush()
                for (number, name) in names.enumerated() {
                    let path = PathBytes(Array(albumd.path("").utf8) + name)
                    let row = try #require(try albumd.mapping(path))
                    #expect(row.sha256 == sha256(SampleMedia.jpeg(number)))
                    #expect(try Name.bytes(row.path, row.pathBase64) == path)
                }
                try albumd.other.unlink(Array(albumd.path("").utf8) + names[1])
                try albumd.flush()
                try albumd.reconcile()
                #expect(try albumd.assets().count == 4)
                #expect(try albumd.mapping(PathBytes(Array(albumd.path("").utf8) + names[2])) != nil)
            }
        }
    }
}
