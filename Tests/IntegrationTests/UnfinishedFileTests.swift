import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Files that are still being written when albumd sees them.
    @BlockingThread struct UnfinishedFiles {
        /// W13: a long copy with pauses; the writer keeps the file open.
        @Test func aFileThatAWriterHoldsOpenWaitsUntilItIsClosed() throws {
            try withAlbumd { albumd in
                let path = albumd.path("film.mp4")
                let whole = SampleMedia.movie(1, byteCount: 5 << 20)
                let writer = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
                for round in 0..<5 {
                    let part = Array(whole[round * whole.count / 5..<(round + 1) * whole.count / 5])
                    try #require(Glibc.write(writer, part, part.count) == part.count)
                    try albumd.flush()
                    let row = try #require(try albumd.pending().first)
                    #expect(row.outcome == .pending && row.reason == .writerPresent && row.retryDate != nil)
                    #expect(try albumd.assets().isEmpty)
                }
                try albumd.other.closeWriter(writer)
                try albumd.flush()
                try expectImported([Drop(path: path, bytes: whole)], by: albumd)
                #expect(try albumd.assets().count == 1)
            }
        }

        /// W15: a scanner that opens and closes its file for every page.
        @Test func aFileThatGrowsInRoundsIsOneAssetWithItsLastBytes() throws {
            try withAlbumd { albumd in
                let path = albumd.path("scan.jpg")
                let whole = SampleMedia.jpeg(1, byteCount: 400_000)
                try albumd.other.write(path, [])
                for round in 0..<4 {
                    let part = Array(whole[round * whole.count / 4..<(round + 1) * whole.count / 4])
                    try albumd.other.append(Array(path.utf8), part)
                    if round > 0 { try albumd.flush() }
                }
                try albumd.flush()
                try expectImported([Drop(path: path, bytes: whole)], by: albumd)
                let asset = try #require(try albumd.assets().first)
                #expect(try albumd.assets().count == 1)
                #expect(asset.resources.first?.versions.last?.sha256 == sha256(whole))
            }
        }

        /// W16: the sender's name for what is not whole yet is passed over; its rename is the commit.
        @Test func aPartialFileIsTakenUnderTheNameItIsRenamedTo() throws {
            try withAlbumd { albumd in
                let partial = try albumd.drop("x.jpg.filepart", SampleMedia.jpeg(1))
                try albumd.flush()
                #expect(try albumd.assets().isEmpty && albumd.pending().isEmpty)
                #expect(try albumd.why(partial.path).summary.contains("passed over"))
                try albumd.other.rename(partial.path, to: albumd.path("x.jpg"))
                try albumd.flush()
                try expectImported([Drop(path: albumd.path("x.jpg"), bytes: partial.bytes)], by: albumd)
                #expect(try albumd.assets().map(\.originalFilename) == ["x.jpg"])
            }
        }

        @Test func aFileThatIsReplacedAgainAndAgainIsTakenAsItIsInTheEnd() throws {
            try withAlbumd { albumd in
                for number in 0..<50 {
                    try albumd.other.write(albumd.path("new"), SampleMedia.jpeg(number))
                    try albumd.other.rename(albumd.path("new"), to: albumd.path("x.jpg"))
                }
                try albumd.flush()
                try expectImported([Drop(path: albumd.path("x.jpg"), bytes: SampleMedia.jpeg(49))], by: albumd)
            }
        }

        @Test func aFileThatIsGoneBeforeItRestedLeavesNothing() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                #expect(try albumd.assets().isEmpty && albumd.pending().isEmpty)
                let subject = JSON.encode(SubjectRequest(path: PathBytes(drop.path)))
                #expect(try albumd.client.send(.post, "/v1/why", body: subject).status == 404)
            }
        }

        @Test func aFileTruncatedToNothingWaitsAndIsTakenWhenItHasBytes() throws {
            try withAlbumd { albumd in
                let path = albumd.path("x.jpg")
                try albumd.other.write(path, SampleMedia.jpeg(1))
                truncate(path, 0)
                try albumd.flush()
                let row = try #require(try albumd.pending().first)
                #expect(row.path == path && row.reason == .empty && row.retryDate != nil)
                #expect(try albumd.why(path).waiting?.reason == .empty)
                try albumd.other.write(albumd.path("x.jpg.part"), SampleMedia.jpeg(2))
                try albumd.other.rename(albumd.path("x.jpg.part"), to: path)
                try albumd.flush()
                try expectImported([Drop(path: path, bytes: SampleMedia.jpeg(2))], by: albumd)
                #expect(try albumd.pending().isEmpty)
            }
        }

        /// RULES R19: what was imported stays; a truncated source is looked at, never believed.
        @Test func aSourceTruncatedAfterItsImportTakesNothingFromTheAsset() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                truncate(drop.path, 0)
                try albumd.flush()
                #expect(try albumd.original(identifier) == drop.bytes)
                #expect(try albumd.asset(identifier).state == .live)
            }
        }

        @Test func aFileThatVanishesInTheMiddleOfItsCopyLeavesNothing() throws {
            try withAlbumd { albumd in
                let path = try dropLargeFile(albumd)
                try stopInTheMiddleOfACopy(albumd)
                try albumd.other.unlink(path)
                albumd.process?.send(SIGCONT)
                try albumd.flush()
                #expect(try albumd.assets().isEmpty && albumd.pending().isEmpty)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// RULES R3, R18: the copy is given up, and the file is taken as it is in the end.
        @Test func aFileThatChangesInTheMiddleOfItsCopyIsNotTakenHalf() throws {
            try withAlbumd { albumd in
                let path = try dropLargeFile(albumd)
                try stopInTheMiddleOfACopy(albumd)
                // Begins to break the lease, and may not wait for it: the one who holds it stands still.
                #expect(throws: FileError.self) { try albumd.other.openWriter(path) }
                albumd.process?.send(SIGCONT)
                try albumd.other.write(path, SampleMedia.jpeg(2))
                try albumd.flush()
                try expectImported([Drop(path: path, bytes: SampleMedia.jpeg(2))], by: albumd)
                #expect(try albumd.assets().flatMap(\.resources).flatMap(\.versions).count == 1)
            }
        }

        /// A picture with a long tail of zeros, which are no bytes on the disk.
        private func dropLargeFile(_ albumd: Albumd) throws -> String {
            let part = albumd.path("large.jpg.part")
            try albumd.other.write(part, SampleMedia.jpeg(1))
            try #require(truncate(part, 400 << 20) == 0)
            try albumd.other.rename(part, to: albumd.path("large.jpg"))
            return albumd.path("large.jpg")
        }

        /// Stops the daemon when a copy has bytes; what it copies is long enough to be met.
        private func stopInTheMiddleOfACopy(_ albumd: Albumd) throws {
            let files = LinuxFiles()
            let staging = try files.openDirectory(Array("\(albumd.installation.library)/staging".utf8))
            let end = Machine.bootTime() + Albumd.patience
            while Machine.bootTime() < end {
                for entry in try files.list(staging) {
                    guard let status = try? files.status(at: entry.name, in: staging), status.byteCount > 0 else {
                        continue
                    }
                    albumd.process?.send(SIGSTOP)
                    return
                }
            }
            throw Failure("nothing was copied")
        }
    }
}
