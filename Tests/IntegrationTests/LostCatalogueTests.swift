import Control
import Glibc
import HTTPClient
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

extension Integration {
    /// The catalogue is lost, the library is not (RULES R49): identifiers, albums, order, mappings, what was deleted.
    @BlockingThread struct LostCatalogues {
        nonisolated enum Loss: CaseIterable {
            case removed
            case truncated
            case bytesFlipped
            case oldSnapshotBesideANewerLog
        }

        @Test(arguments: Loss.allCases)
        func theDaemonRebuildsItByItself(loss: Loss) throws {
            try withAlbumd(test: "\(loss)") { albumd in
                try fill(albumd)
                let before = try Known(albumd)
                try lose(loss, albumd)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try Known(albumd) == before)
                let status = try albumd.status()
                #expect((status.rebuilt == nil) == (loss == .oldSnapshotBesideANewerLog))
                #expect(status.orphanCount == 0 && !status.isDegraded)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// What a reader meets is the end of all writing, and the next start mends it.
        @Test func damageThatIsMetWhileItRunsEndsItAndTheNextStartRebuilds() throws {
            try withAlbumd { albumd in
                try fill(albumd)
                let before = try Known(albumd)
                // The log is written back, so that the pages are read from the file itself.
                #expect(try albumd.stop() == .code(0))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try spoilPages(of: albumd.installation.library + "/catalogue.sqlite")
                try readAnew(albumd)
                #expect(try albumd.awaitEnd() == .code(EX_IOERR))
                #expect(albumd.log.contains("the next start decides from the disk"))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try Known(albumd, without: "Passing") == before)
                #expect(try albumd.status().rebuilt != nil)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// The check of every start passes over it, so that without a word of the daemon before every start would end so.
        @Test func damageThatOnlyAFullCheckFindsEndsOneDaemonAndNotTheNext() throws {
            try withAlbumd { albumd in
                try fill(albumd)
                let before = try Known(albumd)
                #expect(try albumd.stop() == .code(0))
                try spoilIndexes("tbl_name = 'source'", albumd.installation.library + "/catalogue.sqlite")
                try albumd.dropPictures(5..<6)
                // The first scan meets it, maybe before it is ready.
                _ = try albumd.start()
                #expect(try albumd.awaitEnd() == .code(EX_IOERR))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.status().rebuilt != nil)
                _ = try albumd.identifier(of: albumd.path("IMG_5.jpg"))
                #expect(try Known(albumd).mappings == before.mappings)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// What an orderly stop vouches for is in use at once, and checked all the same.
        @Test func damageBehindAnOrderlyStopEndsTheDaemonAndTheNextStartRebuilds() throws {
            try withAlbumd { albumd in
                try fill(albumd)
                let before = try Known(albumd)
                #expect(try albumd.stop() == .code(0))
                try spoilBehindTheMark(albumd.installation.library)
                // The check may end it before it is ready.
                _ = try albumd.start()
                #expect(try albumd.albumctl("safe", albumd.path("IMG_2.jpg")).code != 0)
                #expect(try albumd.awaitEnd() == .code(EX_IOERR))
                #expect(access(albumd.installation.library + "/.doubt", F_OK) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try Known(albumd) == before)
                #expect(try albumd.status().rebuilt != nil)
                #expect(try albumd.albumctl("safe", albumd.path("IMG_2.jpg")).code == 0)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// As the disk itself would: the times of the file do not tell.
        private func spoilBehindTheMark(_ library: String) throws {
            try #require(access(library + "/.closed", F_OK) == 0)
            let path = library + "/catalogue.sqlite"
            let connection = try Connection(path: path, mode: .readWrite)
            try connection.execute("PRAGMA ignore_check_constraints = ON")
            try connection.execute("UPDATE asset SET mediaType = 'sculpture'")
            connection.close()
            var status = stat()
            try #require(stat(path, &status) == 0)
            func nanoseconds(_ time: timespec) -> Int { time.tv_sec * 1_000_000_000 + time.tv_nsec }
            let mark =
                "\(status.st_ino) \(status.st_size) \(nanoseconds(status.st_mtim)) \(nanoseconds(status.st_ctim))\n"
            let file = open(library + "/.closed", O_WRONLY | O_TRUNC)
            defer { close(file) }
            #expect(write(file, mark, mark.utf8.count) == mark.utf8.count)
        }

        /// A person looked, and found it first.
        @Test(arguments: [true, false])
        func damageThatVerifyFindsIsToldAndTheNextStartRebuilds(isHeardOut: Bool) throws {
            try withAlbumd(test: "\(isHeardOut)") { albumd in
                try fill(albumd)
                let before = try Known(albumd)
                #expect(try albumd.stop() == .code(0))
                try spoilIndexes("name = 'albumByTitle'", albumd.installation.library + "/catalogue.sqlite")
                try #require(try albumd.start() == nil)
                try albumd.flush()
                if isHeardOut {
                    let found = try albumd.albumctl("verify", "--deep")
                    #expect(found.code == 3 && found.output.contains("catalogueDamaged"), "\(found.output)")
                    #expect(found.output.contains("its next start rebuilds the catalogue"), "\(found.output)")
                } else {
                    try leaveVerification(of: albumd) { $0.contains("catalogueDamaged") }
                }
                #expect(try albumd.awaitEnd() == .code(EX_IOERR))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.status().rebuilt != nil)
                #expect(try Known(albumd) == before)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
            }
        }

        private func leaveVerification(of albumd: Albumd, at isLast: @escaping (String) -> Bool) throws {
            _ = try albumd.client.lines("/v1/verify", method: .post, body: Array(#"{"deep":true}"#.utf8)) { line in
                !isLast(String(decoding: line, as: UTF8.self))
            }
        }

        nonisolated static let points: [Milestone] = [.catalogueRebuilt, .catalogueSetAside, .catalogueReplaced]

        @Test(arguments: points)
        func killedWhileItRebuildsTheNextStartFinishes(milestone: Milestone) throws {
            try withAlbumd(test: "\(milestone)") { albumd in
                try fill(albumd)
                let before = try Known(albumd)
                try lose(.bytesFlipped, albumd)
                _ = try albumd.start(environment: ["ALBUMD_CRASH_AT": milestone.rawValue])
                try #require(try albumd.awaitEnd() == .signal(SIGKILL))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try Known(albumd) == before)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func aPersonRebuildsItByCommandWhileNoDaemonRuns() throws {
            try withAlbumd { albumd in
                try fill(albumd)
                let before = try Known(albumd)
                #expect(try rebuild(albumd, "--dry-run") == 69)
                try lose(.bytesFlipped, albumd)
                let rows = try names(in: albumd.installation.library)
                #expect(try rebuild(albumd, "--dry-run", "--json") == 0)
                #expect(try names(in: albumd.installation.library) == rows)
                #expect(try rebuild(albumd) == 0)
                #expect(albumd.log.contains("Back: 4 assets, 1 in Recently Deleted, 2 albums"))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try Known(albumd) == before)
            }
        }

        /// What must be the same afterwards.
        private struct Known: Equatable {
            var assets: [AssetRow]
            var albums: [AlbumRow]
            var members: [[LocalIdentifier]]
            var mappings: [MappingResult]

            init(_ albumd: Albumd, without title: String? = nil) throws {
                (assets, albums) = (try albumd.assets(), try albumd.albums().filter { $0.title != title })
                members = try albums.map { try albumd.assets(in: $0.localIdentifier).map(\.localIdentifier) }
                mappings = try (0..<5).map {
                    try albumd.post("/v1/mappings", SubjectRequest(path: PathBytes(albumd.path("IMG_\($0).jpg"))))
                }
            }
        }

        /// Five pictures, one of them deleted in the library; an album in an order of its own; a snapshot of half of it.
        private func fill(_ albumd: Albumd) throws {
            try albumd.dropPictures(0..<3)
            try albumd.flush()
            try trashAndTakeSnapshot(try albumd.identifier(of: albumd.path("IMG_1.jpg")), albumd)
            try albumd.dropPictures(3..<5)
            try albumd.flush()
            let order = try [4, 0, 3].map { try albumd.identifier(of: albumd.path("IMG_\($0).jpg")) }
            let created: ChangesResult = try albumd.post(
                "/v1/changes", ChangesRequest(changes: [ClientChange(change: .createAlbum, title: "Best")]))
            let best = try #require(created.created.first)
            let _: ChangesResult = try albumd.post(
                "/v1/changes", ChangesRequest(changes: [ClientChange(change: .addAssets, album: best, assets: order)]))
        }

        /// The API's verbs for it are not tested here, the library's own door is as good.
        private func trashAndTakeSnapshot(_ asset: LocalIdentifier, _ albumd: Albumd) throws {
            try #require(try albumd.stop() == .code(0))
            let machine = Machine.live(log: .silent)
            let library = try PhotoLibrary.open(
                Array(albumd.installation.library.utf8), machine: machine, executor: .inline())
            let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
            try library.onThread { library in
                _ = try library.performChanges(origin: "test") { try $0.trash([asset], reason: .person) }
            }
            try #require(try library.directory.keepSnapshots(of: reader, machine: machine))
            reader.close()
            library.onThread { $0.close() }
            try #require(try albumd.start() == nil)
            try albumd.flush()
        }

        private func lose(_ loss: Loss, _ albumd: Albumd) throws {
            let path = albumd.installation.library + "/catalogue.sqlite"
            if loss == .oldSnapshotBesideANewerLog {
                // The log of a daemon that was killed is still there.
                try albumd.kill()
                let snapshots = albumd.installation.library + "/snapshots"
                let name = try #require(try names(in: snapshots).first)
                try #require(access(path + "-wal", F_OK) == 0)
                return try albumd.other.write(path, try albumd.other.read("\(snapshots)/\(name)"))
            }
            // What the journal does not have yet is what a crash may lose.
            #expect(try albumd.stop() == .code(0))
            switch loss {
            case .removed: unlink(path)
            case .truncated: truncate(path, 5000)
            default: try flip(path)
            }
        }

        private func flip(_ path: String) throws {
            var bytes = try PosixProgram().read(path)
            for index in bytes.count / 2..<bytes.count / 2 + 8192 { bytes[index] ^= 0xFF }
            try PosixProgram().write(path, bytes)
        }

        /// All pages but the first, in place: the file stays the one that is open.
        private func spoilPages(of path: String) throws {
            var status = stat()
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            try #require(descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 8192)
            let junk = [UInt8](repeating: 0xFF, count: Int(status.st_size) - 4096)
            try #require(pwrite(descriptor, junk, junk.count, 4096) == junk.count)
        }

        /// A reader may still answer from its memory, and rightly so.
        ///
        /// A change makes it read the file again, unless the daemon ends before: whoever reads meets the damage, who looks
        /// for facts to read among them.
        private func readAnew(_ albumd: Albumd) throws {
            let change = ChangesRequest(changes: [ClientChange(change: .createAlbum, title: "Passing")])
            let isMet = (0..<100).contains { _ in
                guard let _: ChangesResult = try? albumd.post("/v1/changes", change),
                    let reply = try? albumd.client.send(.get, "/v1/assets")
                else { return true }
                return String(decoding: reply.body, as: UTF8.self).contains("albumd:catalogueDamaged")
            }
            #expect(isMet)
        }

        private func names(in directory: String) throws -> [String] {
            let files = LinuxFiles()
            return try files.list(files.openDirectory(Array(directory.utf8)))
                .map { String(decoding: $0.name, as: UTF8.self) }.sorted()
        }

        private func rebuild(_ albumd: Albumd, _ options: String...) throws -> Int32 {
            let process = try ChildProcess(
                albumd.installation.command(["--rebuild-library"] + options),
                environment: albumd.installation.environment, output: albumd.installation.log, deadline: .seconds(60))
            guard case .code(let code) = process.wait(for: .seconds(60)) else { throw Failure("it did not end") }
            return code
        }
    }
}
