import Control
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A folder that is a part of the library, or of another folder, by whatever way (RULES R15).
    @BlockingThread struct Overlaps {
        /// The worst that could happen: move mode takes the originals for sources.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"), arguments: [false, true])
        func aBindMountOfTheOriginalsIsNoFolder(isConfigured: Bool) throws {
            let folders = [TestFolder()] + (isConfigured ? [TestFolder(name: "bound", lines: ["mode = \"move\""])] : [])
            try withAlbumd(Setup(folders: [TestFolder()]), isStarted: false, test: "bind \(isConfigured)") { albumd in
                try #require(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.stop()
                let (originals, bound) = (albumd.installation.library + "/originals", albumd.scratch.path("bound"))
                try albumd.other.makeDirectory(bound)
                let script = "mount --bind '\(originals)' '\(bound)' && exec \"$0\" \"$@\""
                albumd.installation.setup.wrapper = [
                    "unshare", "-m", "--propagation", "private", "sh", "-c", script,
                ]
                albumd.installation.setup.folders = folders
                try albumd.installation.writeConfiguration()
                if isConfigured {
                    #expect(try albumd.start() == .code(78))
                    #expect(albumd.log.contains("lie within one another"), "\(albumd.log)")
                    albumd.installation.setup.folders = [TestFolder()]
                    try albumd.installation.writeConfiguration()
                    try #require(try albumd.start() == nil)
                } else {
                    try #require(try albumd.start() == nil)
                    let rule = ["path": bound, "album": "Bound", "mode": "move"]
                    #expect(try albumd.refusal(of: "/v1/folders", rule).detail.contains("library"))
                }
                try albumd.flush()
                try expectImported(drops, by: albumd)
            }
        }

        /// What was added while it was absent is looked at when it comes.
        @Test func aSymlinkIntoTheLibraryThatComesLaterIsNeverTakenOn() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let later = albumd.scratch.path("later")
                var rule = FolderRequest(path: PathBytes(later))
                (rule.album, rule.mode, rule.isOffline) = ("Later", "move", true)
                _ = try? albumd.client.send(.post, "/v1/folders", body: JSON.encode(rule))
                try albumd.other.makeSymlink(
                    PathBytes(later).bytes, to: Array((albumd.installation.library + "/originals").utf8))
                try albumd.reconcile()
                #expect(try !albumd.flush().offline.isEmpty)
                try expectImported(drops, by: albumd)
                let names = try run(["ls", "-a", albumd.installation.library + "/originals"], in: albumd.scratch).output
                #expect(!names.contains(".albumd-folder"), "\(names)")
            }
        }
    }
}
