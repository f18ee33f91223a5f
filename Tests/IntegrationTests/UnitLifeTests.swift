import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// What becomes of a photo of several files: all of them, together (DESIGN section 5, FEATURES C53).
    @BlockingThread struct UnitLives {
        private struct Pair {
            var picture: Drop
            var movie: Drop
            var identifier: LocalIdentifier
        }

        /// Nil where there is nothing to make one of.
        private func livePhoto(in albumd: Albumd, folder: String = "inbox", isLate: Bool = false) throws -> Pair? {
            guard let corpus = FactsCorpus(), try hasWorker(), let pair = corpus.livePhotos.first else { return nil }
            let picture = try albumd.drop(pair.picture.name, corpus.bytes(of: pair.picture), in: folder)
            if isLate { try albumd.flush() }
            let movie = try albumd.drop(pair.movie.name, corpus.bytes(of: pair.movie), in: folder)
            try albumd.flush()
            let identifier = try albumd.identifier(of: picture.path)
            #expect(try albumd.identifier(of: movie.path) == identifier)
            return Pair(picture: picture, movie: movie, identifier: identifier)
        }

        private func types(of identifier: LocalIdentifier, in albumd: Albumd) throws -> [Int] {
            try albumd.asset(identifier).resources.map(\.type)
        }

        @Test func itIsDeletedRestoredAndDeletedForGoodWithAllItsFiles() throws {
            try withAlbumd { albumd in
                guard let pair = try livePhoto(in: albumd) else { return }
                try albumd.delete(pair.movie)
                #expect(try albumd.trash().map(\.localIdentifier) == [pair.identifier])
                #expect(try albumd.trash().first?.byteCount == Int64(pair.picture.bytes.count + pair.movie.bytes.count))
                // Neither file brings it back.
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.assets() == [])
                try albumd.restoreAll()
                #expect(try types(of: pair.identifier, in: albumd) == [1, 9])
                try albumd.delete(pair.picture)
                try albumd.purgeAll()
                #expect(try albumd.status().originalCount == 0)
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.assets() == [] && albumd.status().originalCount == 0)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// In a folder that mirrors deletions the photo goes with the last of its pictures and movies.
        @Test func aDeletedMovieLeavesThePhotoAndADeletedPictureThenTakesIt() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                guard let pair = try livePhoto(in: albumd) else { return }
                try albumd.other.unlink(pair.movie.path)
                try albumd.flush()
                #expect(try albumd.trash().isEmpty && types(of: pair.identifier, in: albumd) == [1, 9])
                try albumd.other.unlink(pair.picture.path)
                try albumd.flush()
                #expect(try albumd.trash().map(\.localIdentifier) == [pair.identifier])
                // With the picture the whole photo is back.
                try albumd.drop("back.JPG", pair.picture.bytes)
                try albumd.flush()
                #expect(try albumd.trash().isEmpty && types(of: pair.identifier, in: albumd) == [1, 9])
            }
        }

        /// Whoever keeps one half, or a RAW without its picture, has not deleted the photo.
        @Test func aMovieThatIsLeftKeepsThePhoto() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                guard let pair = try livePhoto(in: albumd) else { return }
                try albumd.other.unlink(pair.picture.path)
                try albumd.flush()
                try #require(chmod(pair.movie.path, 0o600) == 0)
                try albumd.flush()
                #expect(try albumd.trash().isEmpty && types(of: pair.identifier, in: albumd) == [1, 9])
                try albumd.other.unlink(pair.movie.path)
                try albumd.flush()
                #expect(try albumd.trash().map(\.localIdentifier) == [pair.identifier])
                try albumd.drop("copy.mov", pair.movie.bytes)
                try albumd.flush()
                #expect(try albumd.trash().isEmpty && types(of: pair.identifier, in: albumd) == [1, 9])
            }
        }

        @Test func aFileMayBeErasedOnlyWhereItsOwnBytesAreStored() throws {
            try withAlbumd { albumd in
                guard let pair = try livePhoto(in: albumd) else { return }
                for drop in [pair.picture, pair.movie] { #expect(try albumd.albumctl("safe", drop.path).code == 0) }
                let (name, library) = (pair.movie.hash.hexadecimal, albumd.installation.library)
                try albumd.other.unlink("\(library)/originals/\(name.prefix(2))/\(name).mov")
                #expect(try albumd.albumctl("safe", pair.picture.path).code == 0)
                #expect(try albumd.albumctl("safe", pair.movie.path).code == 1)
            }
        }

        @Test func itGoesToTheCloudAndComesBackWhole() throws {
            try withAlbumd { albumd in
                guard let pair = try livePhoto(in: albumd) else { return }
                try albumd.awaitFacts()
                #expect(try albumd.evictAll() == ["evicted": 2])
                #expect(try albumd.residencies() == [.inCloud])
                let request = CloudRequest(subjects: [SubjectRequest(localIdentifier: pair.identifier)])
                #expect(try albumd.cloud("fetch", request).counts == ["fetched": 2])
                #expect(try albumd.residencies() == [.both])
                let file = albumd.scratch.path("movie")
                let got = try albumd.albumctl(
                    "original", pair.identifier.description, "--resource", "pairedVideo", "-o", file)
                #expect(got.code == 0, "\(got.output)")
                let same = try albumd.other.read(file) == pair.movie.bytes
                #expect(same)
            }
        }

        /// It stays one file, and its movie can be had by itself.
        @Test func theMovieInAMotionPhotoIsGivenAsAFile() throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            try withAlbumd { albumd in
                let entry = try corpus.entry("motion-photos/sample_MP.heic")
                let drop = try albumd.drop(entry.name, corpus.bytes(of: entry))
                try albumd.flush()
                try albumd.awaitFacts()
                let row = try albumd.asset(albumd.identifier(of: drop.path))
                let span = try #require(row.facts?.embeddedMovie)
                #expect(row.resources.count == 1)
                let file = albumd.scratch.path("movie")
                let got = try albumd.albumctl(
                    "original", row.localIdentifier.description, "--resource", "pairedVideo", "-o", file)
                #expect(got.code == 0, "\(got.output)")
                let movie = drop.bytes[Int(span.offset)..<Int(span.offset + span.byteCount)]
                let same = try albumd.other.read(file).elementsEqual(movie)
                #expect(same && movie.dropFirst(4).starts(with: "ftyp".utf8))
            }
        }

        /// In a folder that moves, what came first is gone from it when the other comes.
        @Test(arguments: [true, false]) func inMoveModeBothFilesGo(isLate: Bool) throws {
            let setup = Setup(folders: [TestFolder(lines: ["mode = \"move\""])])
            try withAlbumd(setup, test: "\(#function)\(isLate)") { albumd in
                guard let pair = try livePhoto(in: albumd, isLate: isLate) else { return }
                #expect(access(pair.picture.path, F_OK) != 0 && access(pair.movie.path, F_OK) != 0)
                #expect(try types(of: pair.identifier, in: albumd) == [1, 9])
                try albumd.awaitFacts()
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func filesThatAreRenamedTogetherStayTogether() throws {
            try withAlbumd { albumd in
                guard let pair = try livePhoto(in: albumd) else { return }
                try albumd.makeDirectories("2019")
                let targets = [albumd.path("2019/a.jpg"), albumd.path("2019/a.mov")]
                for (drop, target) in zip([pair.picture, pair.movie], targets) {
                    try #require(Glibc.rename(drop.path, target) == 0)
                }
                try albumd.flush()
                for target in targets {
                    let mapping = try albumd.mapping(target)
                    #expect(mapping?.localIdentifier == pair.identifier && mapping?.reason == .moved, "\(target)")
                }
                #expect(try albumd.mapping(pair.movie.path) == nil && albumd.assets().count == 1)
                #expect(try albumd.asset(pair.identifier).resources.map { $0.pairing != nil } == [false, true])
            }
        }

        /// A companion's file that is written anew is a version of the companion.
        @Test func aMovieThatIsRewrittenIsAnEditOfTheMovie() throws {
            try withAlbumd { albumd in
                guard let pair = try livePhoto(in: albumd) else { return }
                let edited = pair.movie.bytes + Array(repeating: 0, count: 8)
                let file = open(pair.movie.path, O_WRONLY | O_TRUNC)
                #expect(edited.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == edited.count)
                close(file)
                try albumd.flush()
                let row = try albumd.asset(pair.identifier)
                #expect(row.resources.map(\.type) == [1, 9] && row.resources.map(\.versions.count) == [1, 2])
                #expect(row.resources.map { $0.pairing != nil } == [false, true])
                #expect(try albumd.assets().count == 1)
            }
        }

        /// RULES R19: what was taken in another second, or with another camera, is another photo, whichever way it came.
        @Test(arguments: [true, false]) func otherBytesAreAnEditOnlyOfTheSamePhotograph(isInPlace: Bool) throws {
            guard try hasWorker() else { return }
            try withAlbumd(test: "\(#function)\(isInPlace)") { albumd in
                let picture = SampleMedia.jpeg(taken: "2019:01:02 03:04:05", with: "EOS 6D")
                let drop = try albumd.drop("a.jpg", picture)
                try albumd.flush()
                let first = try albumd.identifier(of: drop.path)
                try rewrite(drop.path, picture + [0], isInPlace, in: albumd)
                #expect(try albumd.identifier(of: drop.path) == first)
                #expect(try albumd.asset(first).resources.map(\.versions.count) == [2])
                let other = SampleMedia.jpeg(taken: "2019:01:02 03:04:06", with: "EOS 6D")
                try rewrite(drop.path, other, isInPlace, in: albumd)
                let mapping = try albumd.mapping(drop.path)
                #expect(mapping?.localIdentifier != first && mapping?.reason == .sourceReplaced)
                #expect(try albumd.asset(first).state == .live && albumd.assets().count == 2)
            }
        }

        private func rewrite(_ path: String, _ bytes: [UInt8], _ isInPlace: Bool, in albumd: Albumd) throws {
            if isInPlace {
                let file = open(path, O_WRONLY | O_TRUNC)
                #expect(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count)
                close(file)
            } else {
                let new = albumd.scratch.path("new")
                try albumd.other.write(new, bytes)
                try #require(Glibc.rename(new, path) == 0)
            }
            try albumd.flush()
        }

        /// What came to an asset stays with it, whatever is undone; nothing is imported twice for it.
        @Test func anUndoOfWhatCameLateLeavesThePhotoWhole() throws {
            try withAlbumd { albumd in
                guard let pair = try livePhoto(in: albumd, isLate: true) else { return }
                try albumd.awaitFacts()
                let token = try tokenOfJoining(in: albumd)
                let undone: UndoResult = try albumd.post("/v1/undo", UndoRequest(token: try #require(token)))
                #expect(undone.remarks.contains { $0.contains("keeps what came to it") }, "\(undone.remarks)")
                try albumd.reconcile()
                try albumd.flush()
                #expect(try types(of: pair.identifier, in: albumd) == [1, 9] && albumd.assets().count == 1)
                #expect(try albumd.identifier(of: pair.movie.path) == pair.identifier)
                try albumd.awaitFacts()
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        private func tokenOfJoining(in albumd: Albumd) throws -> Int64? {
            let reply = try albumd.client.send(.get, "/v1/changes", query: ["after": "0"])
            let rows = reply.body.split(separator: UInt8(ascii: "\n")).compactMap {
                try? JSON.decode(ChangeRow.self, from: Array($0))
            }
            return rows.last { $0.changes.contains { $0.name == .addResource } }?.token
        }

        nonisolated static let points: [Milestone] = [
            .candidateSettled, .sourceOpened, .stagedHalf, .staged, .batchStaged, .renamedIntoOriginals,
            .originalsDurable, .beforeCatalogueCommit, .afterCatalogueCommit, .beforeSourceRemoval,
            .afterSourceRemoval, .journalHalfLine, .journalAppended,
        ]

        @Test(arguments: points) func aCrashTearsNoPhotoApart(milestone: Milestone) throws {
            let setup = Setup(folders: [TestFolder(lines: ["mode = \"move\""])])
            try withAlbumd(setup, isStarted: false, test: "\(#function)\(milestone)") { albumd in
                guard let corpus = FactsCorpus(), try hasWorker(), let pair = corpus.livePhotos.first else { return }
                // One file alone passes these twice.
                let time = [.sourceOpened, .stagedHalf, .staged, .afterSourceRemoval].contains(milestone) ? 2 : 1
                _ = try albumd.start(environment: ["ALBUMD_CRASH_AT": "\(milestone.rawValue):\(time)"])
                for entry in [pair.picture, pair.movie] { try albumd.drop(entry.name, corpus.bytes(of: entry)) }
                _ = try? albumd.flush()
                try #require(try albumd.awaitEnd(within: .seconds(60)) == .signal(SIGKILL))
                try #require(try albumd.start() == nil)
                #expect(try albumd.flush().waiting == [:])
                let identifier = try albumd.identifier(of: albumd.path(pair.picture.name))
                #expect(try albumd.identifier(of: albumd.path(pair.movie.name)) == identifier)
                #expect(try types(of: identifier, in: albumd) == [1, 9] && albumd.assets().count == 1)
                try albumd.awaitFacts()
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }
    }
}
