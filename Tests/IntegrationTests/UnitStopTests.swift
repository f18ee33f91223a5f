import Control
import Glibc
import Platform
import TestSupport
import Testing

extension Integration {
    /// An orderly stop in the middle of what belongs together.
    @BlockingThread struct UnitStops {
        /// A worker that tells that it is asked, and answers when the gate opens: a reader and a writer of two pipes.
        private func holdTheWorker(of albumd: Albumd) throws {
            let (own, built) = (albumd.scratch.path("bin"), builtProgram("albumd-media"))
            try albumd.other.makeDirectory(own)
            try albumd.other.write(own + "/albumd", try albumd.other.read(builtProgram("albumd")))
            let (asked, gate) = (shellWord(own + "/asked"), shellWord(own + "/gate"))
            try albumd.other.write(
                own + "/albumd-media",
                Array("#!/bin/sh\n: > \(asked)\n: < \(gate)\nexec \(shellWord(built)) \"$@\"\n".utf8))
            for name in ["albumd", "albumd-media"] { try #require(chmod("\(own)/\(name)", 0o755) == 0) }
            for name in ["asked", "gate"] { try #require(mkfifo("\(own)/\(name)", 0o600) == 0) }
            albumd.installation.setup.program = own + "/albumd"
        }

        /// Opens a pipe: for reading alone it waits for who writes.
        private func meet(_ name: String, _ flags: Int32, of albumd: Albumd) throws {
            let end = open(albumd.scratch.path("bin/" + name), flags)
            try #require(end >= 0)
            close(end)
        }

        /// Its halves would be two assets for ever.
        @Test func aStopWhileTheHalvesOfALivePhotoAreReadTearsThemNotApart() throws {
            guard let corpus = FactsCorpus(), try hasWorker(), let pair = corpus.livePhotos.first else { return }
            try withAlbumd(isStarted: false) { albumd in
                try holdTheWorker(of: albumd)
                try #require(try albumd.start() == nil)
                for entry in [pair.picture, pair.movie] { try albumd.drop(entry.name, corpus.bytes(of: entry)) }
                try meet("asked", O_RDONLY, of: albumd)
                albumd.process?.send(SIGTERM)
                try albumd.awaitNotice("STOPPING")
                try meet("gate", O_RDWR, of: albumd)
                #expect(try albumd.awaitEnd() == .code(0))
                albumd.installation.setup.program = builtProgram("albumd")
                try #require(try albumd.start() == nil)
                try albumd.flush()
                let identifier = try albumd.identifier(of: albumd.path(pair.picture.name))
                #expect(try albumd.identifier(of: albumd.path(pair.movie.name)) == identifier)
                #expect(try albumd.asset(identifier).resources.map(\.type) == [1, 9] && albumd.assets().count == 1)
            }
        }
    }
}
