import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import Synchronization
import TestSupport
import Testing

extension Integration {
    /// The control socket with clients and predecessors of every kind.
    @BlockingThread struct ControlSocketCases {
        /// C01: the socket of a daemon that was killed.
        @Test func theSocketOfADeadDaemonIsReplaced() throws {
            try withAlbumd { albumd in
                try albumd.kill()
                #expect(throws: HTTPClientError.self) { try albumd.client.send(.get, "/v1/status") }
                try #require(try albumd.start() == nil)
                #expect(try albumd.status().assetCount == 0)
            }
        }

        /// R47: what is no socket is not removed.
        @Test func whatIsNoSocketIsLeftAlone() throws {
            try withAlbumd(isStarted: false) { albumd in
                try albumd.other.write(albumd.installation.socket, "a file of somebody's")
                #expect(try albumd.start() == .code(78))
                #expect(try albumd.other.read(albumd.installation.socket) == Array("a file of somebody's".utf8))
            }
        }

        /// Nobody takes for done what was not understood; each refusal says what is allowed, and what mends it.
        @Test func whatIsNotUnderstoodIsRefusedWithWhatIsAllowed() throws {
            try withAlbumd { albumd in
                for (method, path, query, body, status, words) in Self.misunderstood {
                    let reply = try albumd.client.send(method, path, query: query, body: Array(body.utf8))
                    let problem = try? JSON.decode(Problem.self, from: reply.body)
                    #expect(reply.status == status && problem?.detail.contains(words) == true, "\(path): \(reply)")
                    #expect(problem?.fix?.isEmpty == false && problem?.detail.contains("Swift") == false, "\(path)")
                }
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                let upload = try albumd.client.upload("/v1/uploads?frob=1", from: descriptor) { _, _ in }
                #expect(upload.status == 400)
            }
        }

        private static let misunderstood:
            [(HTTPClient.Method, String, query: [String: String], body: String, Int, words: String)] = [
                (.get, "/v1/status", ["frob": "1"], "", 400, "none is known here"),
                (.get, "/v1/albums", ["cursor": "zzz"], "", 400, "known are after, limit"),
                (.get, "/v1/albums", ["after": "x"], "", 400, "'after' is 'x'"),
                (.get, "/v1/assets", ["limit": "501"], "", 400, "from 1 to 500"),
                (.get, "/v1/assets", ["residency": "moon"], "", 400, "local, both, inCloud"),
                (.get, "/v1/changes", ["follow": "yes"], "", 400, "must be true or false"),
                (.get, "/v1/nothing", [:], "", 404, "there is no"),
                (.delete, "/v1/status", [:], "", 405, "takes GET"), (.get, "/v1/flush", [:], "", 405, "takes POST"),
                (.post, "/v1/flush", [:], #"{"timeout":"x"}"#, 400, "known are timeoutSeconds"),
                (.post, "/v1/flush", [:], #"{"timeoutSeconds":"x"}"#, 400, "must be a number"),
                (.post, "/v1/flush", [:], #"{"timeoutSeconds":1,"timeoutSeconds":2}"#, 400, "is there twice"),
                (.post, "/v1/reload", [:], #"{"path":"/"}"#, 400, "no key is known here"),
                (.post, "/v1/reconcile", [:], #"{"album":"A"}"#, 400, "known are path, pathBase64"),
                (.post, "/v1/plan", [:], #"{"mode":"move"}"#, 400, "known are path, pathBase64"),
                (.post, "/v1/folders/check", [:], #"{"isOffline":true}"#, 400, "known are path, pathBase64"),
                (
                    .post, "/v1/folders/remove", [:], #"{"path":"/in","watch":"poll"}"#, 400,
                    "known are path, pathBase64"
                ),
                (.post, "/v1/folders/confirm", [:], #"{"path":"/in","album":"A"}"#, 400, "known are path, pathBase64"),
                (
                    .post, "/v1/changes", [:], #"{"changes":[{"change":"deleteAlbum"}]}"#, 400,
                    "must be one of createAlbum"
                ),
                (.post, "/v1/albums", [:], "[]", 400, "must be an object"),
                (.post, "/v1/folders", [:], #"{"path":"/nonexistent/inbox"}"#, 404, "finds no directory"),
            ]

        /// Where an older copy of the library was put back, a follower has to know.
        @Test(arguments: ["true", "false"]) func aTokenToComeIsRefused(follow: String) throws {
            try withAlbumd(test: follow) { albumd in
                let token = try albumd.status().token
                let reply = try albumd.client.send(
                    .get, "/v1/changes", query: ["after": "\(token + 1)", "follow": follow])
                let problem = try JSON.decode(Problem.self, from: reply.body)
                #expect(reply.status == 409 && problem.type == "albumd:unknownToken" && problem.exitCode == 5)
                #expect(problem.fix?.contains("albumctl watch --after 0") == true)
                #expect(try albumd.client.send(.get, "/v1/changes", query: ["after": "\(token)"]).status == 200)
            }
        }

        /// C03, RULES I35: clients that say nothing, or half of it, and more of them than there is room for.
        @Test func muteClientsKeepNobodyFromStatus() throws {
            try withAlbumd { albumd in
                var mute: [RudeClient] = []
                for number in 0..<80 {
                    let client = try RudeClient(to: albumd.installation.socket)
                    if number % 2 == 0 { client.send("GET /v1/status HTTP/1.1\r\nHost: loc") }
                    mute.append(client)
                    let began = Machine.bootTime()
                    if number % 10 == 9 { _ = try albumd.status() }
                    #expect(Machine.bootTime() - began < .seconds(1))
                }
                withExtendedLifetime(mute) {}
            }
        }

        /// C03: clients that ask for much and never read.
        @Test func clientsThatNeverReadStallNobody() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<200)
                try albumd.flush()
                let clients = try (0..<10).map { _ in
                    let client = try RudeClient(to: albumd.installation.socket)
                    for _ in 0..<20 { client.send("GET /v1/changes?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n") }
                    return client
                }
                let began = Machine.bootTime()
                #expect(try albumd.status().assetCount == 200)
                #expect(Machine.bootTime() - began < .seconds(1))
                withExtendedLifetime(clients) {}
            }
        }

        /// C04: a thousand clients that leave in the middle of a request.
        @Test func clientsThatLeaveInTheMiddleEndNothing() throws {
            try withAlbumd { albumd in
                for number in 0..<1000 {
                    let client = try RudeClient(to: albumd.installation.socket)
                    let whole = "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    client.send(number % 3 == 0 ? whole : String(whole.prefix(number % 40)))
                }
                #expect(try albumd.status().assetCount == 0)
                #expect(albumd.process?.result == nil)
            }
        }

        /// C06: never, not for a moment, may others than the group connect.
        @Test func noModeOfTheSocketLetsOthersInAtAnyMoment() throws {
            try withAlbumd(isStarted: false) { albumd in
                let seen = Mutex<Set<UInt32>>([])
                let isDone = Mutex(false)
                let path = albumd.installation.socket
                let observer = NamedThread.start("test-observer") {
                    while !isDone.withLock({ $0 }) {
                        var status = stat()
                        if lstat(path, &status) == 0 { _ = seen.withLock { $0.insert(status.st_mode & 0o777) } }
                    }
                }
                for _ in 0..<3 {
                    try #require(try albumd.start() == nil)
                    try albumd.kill()
                }
                isDone.withLock { $0 = true }
                observer.join()
                let modes = seen.withLock { $0 }
                #expect(modes.contains(0o660) && modes.isSubset(of: [0o600, 0o660]), "\(modes)")
            }
        }

        /// C07: a lock file that names somebody who lives.
        @Test func theTextInALockFileLocksNobodyOut() throws {
            try withAlbumd { albumd in
                try albumd.kill()
                try albumd.other.write("\(albumd.installation.library)/.lock", "pid 1\n")
                #expect(try albumd.start() == nil)
            }
        }

        /// C08, RULES I13: two daemons on one library.
        @Test func aSecondDaemonEndsWith69AndChangesNothing() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.awaitFacts()
                let before = try tree(albumd)
                let second = Albumd(albumd.installation)
                let text = String(decoding: try albumd.other.read(albumd.scratch.path("albumd.toml")), as: UTF8.self)
                let other = text.split(separator: "\n").filter { !$0.hasPrefix("socket") }.joined(separator: "\n")
                let socket = "socket = \"\(albumd.scratch.path("run/second"))\"\n"
                try second.other.write(albumd.scratch.path("albumd.toml"), socket + other)
                #expect(try second.start() == .code(69))
                #expect(second.log.contains("\(albumd.process?.pid ?? 0)"), "\(second.log)")
                #expect(try tree(albumd) == before)
                #expect(try albumd.status().assetCount == 3)
            }
        }

        @Test func aDaemonWhoseSocketIsTakenMakesNoLibrary() throws {
            try withAlbumd { albumd in
                let second = Albumd(albumd.installation)
                let text = String(decoding: try albumd.other.read(albumd.scratch.path("albumd.toml")), as: UTF8.self)
                let rest = text.split(separator: "\n").filter { !$0.hasPrefix("library") }.joined(separator: "\n")
                let library = albumd.scratch.path("other")
                try second.other.write(albumd.scratch.path("albumd.toml"), "library = \"\(library)\"\n" + rest)
                #expect(try second.start() == .code(69))
                #expect(access(library, F_OK) != 0)
                #expect(try albumd.status().assetCount == 0)
            }
        }

        @Test func aMethodThatAPathDoesNotTakeIsToldWhichOnesItDoes() throws {
            try withAlbumd { albumd in
                let reply = try albumd.client.send(.delete, "/v1/albums")
                #expect(reply.status == 405 && reply.header("allow") == "GET, POST")
            }
        }

        /// Every file of the library with its time of change and its hash.
        private func tree(_ albumd: Albumd) throws -> String {
            // The index of the log is memory that the first daemon's readers share: it writes there when it likes.
            let list = "find . -type f ! -name '*-shm' -printf '%p %C@ ' -exec sha256sum '{}' ';' | sort"
            let script = ["sh", "-c", "cd '\(albumd.installation.library)' && \(list)"]
            return try run(script, in: albumd.scratch).output
        }

        /// S03: a client that stops reading a list holds no reader open.
        @Test func aClientThatStopsReadingDoesNotLetTheLogGrow() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<200)
                try albumd.flush()
                let clients = try (0..<4).map { _ in
                    let client = try RudeClient(to: albumd.installation.socket)
                    client.send("GET /v1/changes?follow=true HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    _ = client.receive(100)
                    client.send("GET /v1/assets?limit=500 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    return client
                }
                for round in 1..<5 {
                    try albumd.dropPictures(round * 200..<(round + 1) * 200)
                    try albumd.flush()
                }
                var status = stat()
                try #require(stat("\(albumd.installation.library)/catalogue.sqlite-wal", &status) == 0)
                #expect(status.st_size < 20 << 20)
                withExtendedLifetime(clients) {}
            }
        }
    }
}
