import Control
import Glibc
import PhotoModel
import TestSupport
import Testing

extension Integration {
    /// Who may do what (RULES S1): a member of the socket's group reads, and changes nothing.
    @BlockingThread struct Access {
        /// No group of this machine; the kernel needs no name for it.
        nonisolated private static let group: gid_t = 54_321
        private static let member = [
            "setpriv", "--reuid=\(Privilege.nobody)", "--regid=\(Privilege.nobody)", "--groups=\(group)",
        ]

        /// Three pictures, one of them deleted, and the socket in a directory that gives it the group.
        private func withReaders(test: String = #function, _ body: (Albumd, [Drop]) throws -> Void) throws {
            try withAlbumd(isStarted: false, test: test) { albumd in
                let run = albumd.scratch.path("run")
                chmod(albumd.scratch.path, 0o755)
                chown(run, 0, Self.group)
                chmod(run, 0o2750)
                try #require(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                #expect(try albumd.albumctl("delete", "--path", drops[2].path).code == 0)
                try body(albumd, drops)
            }
        }

        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root and setpriv"))
        func aMemberOfTheSocketsGroupReadsEverything() throws {
            try withReaders { albumd, drops in
                let identifier = try albumd.identifier(of: drops[0].path)
                let album = try albumd.album("Inbox").localIdentifier
                let copy = albumd.scratch.path("out")
                try albumd.other.makeDirectory(copy)
                chmod(copy, 0o777)
                let reads: [[String]] = [
                    ["status"], ["metrics"], ["pending"], ["plan"], ["flush"], ["history"], ["trash", "list"],
                    ["asset", "list"], ["asset", "get", identifier.description], ["version"],
                    ["asset", "list", "--album", album.description], ["album", "list"],
                    ["album", "get", album.description],
                    ["folder", "list"], ["folder", "check"],
                    ["why", drops[0].path], ["map", "get", "--path", drops[0].path], ["safe", drops[0].path],
                    ["original", identifier.description, "-o", copy + "/a.jpg"],
                ]
                for read in reads {
                    let ran = try ask(albumd, read)
                    #expect(ran.code == 0, "\(read): \(ran.output)")
                }
                #expect(try albumd.other.read(copy + "/a.jpg") == drops[0].bytes)
            }
        }

        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root and setpriv"))
        func aMemberOfTheSocketsGroupChangesNothing() throws {
            try withReaders { albumd, drops in
                let identifiers = try drops.map { try albumd.identifier(of: $0.path) }.map(\.description)
                try albumd.awaitFacts()
                let before = (try albumd.status().token, try albumd.trash(), try albumd.assets())
                let writes: [[String]] = [
                    ["delete", identifiers[0]], ["trash", "restore", identifiers[2]],
                    ["trash", "purge", "--all", "--yes"], ["confirm", "8a1c-5f3a9c01d2e4"], ["undo", "1"],
                    ["date", "repair", "Inbox", "--apply"],
                    ["album", "ensure", "Mine"], ["repair"], ["repair", "--discard-orphans", "--yes"],
                    ["verify"], ["save", drops[0].path], ["safe", "--release", drops[0].path], ["reconcile"],
                    ["retry", "--all"], ["reload"],
                    ["folder", "add", albumd.scratch.path("inbox"), "--album", "Mine"],
                    ["folder", "remove", albumd.scratch.path("inbox")],
                    ["folder", "confirm", albumd.scratch.path("inbox")],
                ]
                for write in writes {
                    let ran = try ask(albumd, write)
                    #expect(ran.code == 5, "\(write) \(ran.code): \(ran.output)")
                    #expect(ran.output.contains("run it as root"), "\(write): \(ran.output)")
                }
                #expect(try albumd.status().token == before.0)
                #expect(try albumd.trash() == before.1)
                #expect(try albumd.assets() == before.2)
            }
        }

        /// Whoever else reaches the socket is told nothing at all.
        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root and setpriv"))
        func aStrangerIsRefusedAndToldWhatMendsThat() throws {
            try withReaders { albumd, drops in
                chmod(albumd.scratch.path("run"), 0o755)
                chmod(albumd.installation.socket, 0o666)
                let reads = [
                    ["status"], ["trash", "list"], ["history"], ["safe", drops[0].path], ["why", "/in/a.jpg"],
                ]
                for read in reads {
                    let ran = try ask(albumd, read, as: Privilege.asNobody)
                    #expect(ran.code == 5 && ran.output.contains("run it as root"), "\(read): \(ran.output)")
                    #expect(!ran.output.contains("IMG_"))
                }
            }
        }

        private func ask(
            _ albumd: Albumd, _ arguments: [String], as user: [String] = member
        ) throws -> (code: Int32, output: String) {
            let command = user + [builtProgram("albumctl"), "--socket", albumd.installation.socket] + arguments
            let (end, output) = try run(command, in: albumd.scratch, deadline: Albumd.patience)
            guard case .code(let code) = end else { throw Failure("\(arguments) ended by \(end): \(output)") }
            return (code, output)
        }
    }
}
