import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// The daemon tells what is so, why, and what to do.
    @BlockingThread struct Telling {
        /// By design a folder that was made anew waits for a person's word: everything says which.
        @Test func aFolderThatWasMadeAnewWaitsForConfirmAndSaysSo() throws {
            try withAlbumd { albumd in
                let (folder, command) = (albumd.scratch.path("inbox"), "albumctl folder confirm '")
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                for drop in drops { try albumd.other.unlink(drop.path) }
                try albumd.other.unlink(albumd.path(".albumd-folder"))
                try albumd.other.removeDirectory(folder)
                try albumd.other.makeDirectory(folder)
                let later = try albumd.drop("later.jpg", SampleMedia.jpeg(9))
                // The watcher's word that the root is gone may come in the midst of the first: then the second looks.
                try albumd.reconcile()
                try albumd.reconcile()
                let row = try #require(try albumd.pending().first { $0.reason == .folderOffline })
                #expect(row.path == folder)
                #expect(row.detail?.contains("3 files are known there") == true, "\(row.detail ?? "")")
                #expect(row.detail?.contains(command + folder) == true)
                #expect(try albumd.status().problems.contains { $0.fix.contains(command + folder) })
                #expect(try albumd.status().folders.first?.detail?.contains(command + folder) == true)
                #expect(try albumd.why(later.path).summary.contains("Its folder is offline"))
                let _: FolderRow = try albumd.post("/v1/folders/confirm", FolderRequest(path: PathBytes(folder)))
                try albumd.flush()
                try expectImported([later], by: albumd)
                #expect(try albumd.pending().isEmpty && !albumd.status().isDegraded)
            }
        }

        @Test func aPictureThatAFIFOReplacedHasThatInItsStory() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.other.unlink(drop.path)
                try albumd.other.makeFIFO(drop.path)
                try albumd.flush()
                let report = try albumd.why(drop.path)
                #expect(report.events.count == 2)
                #expect(report.events.last?.text.contains("skipped (notRegular)") == true)
            }
        }

        @Test func aNameThatNoFileCanHaveIsRefusedAndTheUploadStays() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "run")
                let descriptor = open(drop.path, O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                let reply = try albumd.client.upload("/v1/uploads", from: descriptor) { _, _ in }
                let receipt = try JSON.decode(UploadReceipt.self, from: reply.body)
                var request = SaveRequest(upload: receipt.upload)
                request.filename = "x/y.jpg"
                let refused = try albumd.client.send(.post, "/v1/assets", body: JSON.encode(request))
                #expect(refused.status == 400)
                request.filename = "y.jpg"
                let saved: SaveResult = try albumd.post("/v1/assets", request)
                #expect(saved.originalFilename == "y.jpg")
                let story: WhyReport = try albumd.post(
                    "/v1/why", SubjectRequest(localIdentifier: saved.localIdentifier))
                #expect(story.events.map(\.text) == ["saved by command (api uid \(geteuid())) as 'y.jpg'"])
            }
        }
    }
}
