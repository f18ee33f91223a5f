import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// `albumctl save` of bytes that the library has, or had.
    @BlockingThread struct Save {
        /// RULES R36: who saves the bytes of a deleted photo anew wants it back; no purge takes it then.
        @Test(arguments: ["keep", "delete", "trash"])
        func aSaveOfADeletedPhotoBringsItBack(wish: String) throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.delete(drop)
                let card = albumd.scratch.path("card.jpg")
                try albumd.other.write(card, drop.bytes)
                let ran = try albumd.albumctl(
                    "save", card, "--source", wish, "--album", "Back", "--external", "card:1", "--json")
                #expect(ran.code == 0, "\(ran.output)")
                #expect(ran.output.contains(#""outcome":"restored""#) && ran.output.contains(#""reason":"returned""#))
                #expect((access(card, F_OK) == 0) == (wish == "keep"))
                #expect(try albumd.asset(identifier).state == .live && albumd.original(identifier) == drop.bytes)
                #expect(try albumd.album("Back").count == 1)
                let bound: MappingResult = try albumd.post("/v1/mappings", SubjectRequest(externalIdentifier: "card:1"))
                #expect(bound.state == .live && bound.rows.map(\.localIdentifier) == [identifier])
                #expect(try albumd.purgeAll().rows.isEmpty && albumd.original(identifier) == drop.bytes)
            }
        }

        @Test func aSaveByAnExternalIdentifierWhosePhotoWasDeletedBringsItBack() throws {
            try withAlbumd { albumd in
                let card = albumd.scratch.path("card.jpg")
                try albumd.other.write(card, SampleMedia.jpeg(1))
                let save = { try albumd.albumctl("save", card, "--external", "card:1", "--json").output }
                #expect(try save().contains(#""outcome":"imported""#))
                #expect(try save().contains(#""outcome":"duplicate""#))
                let identifier = try #require(try albumd.assets().first).localIdentifier
                let subjects = [SubjectRequest(localIdentifier: identifier)]
                let _: TrashResult = try albumd.post("/v1/assets/delete", AssetsRequest(subjects: subjects))
                #expect(try save().contains(#""outcome":"restored""#))
                #expect(try albumd.asset(identifier).state == .live)
            }
        }

        /// What the library lost is stored again before the only other copy of it goes.
        @Test func aDuplicateByExternalIdentifierWhoseOriginalIsGoneIsStoredAgain() throws {
            try withAlbumd { albumd in
                let card = albumd.scratch.path("card.jpg")
                try albumd.other.write(card, SampleMedia.jpeg(1))
                try #require(try albumd.albumctl("save", card, "--external", "card:1").code == 0)
                let asset = try #require(try albumd.assets().first)
                let hash = try #require(asset.resources.first?.versions.first).sha256.hexadecimal
                let library = albumd.installation.library
                try albumd.other.unlink("\(library)/originals/\(hash.prefix(2))/\(hash).jpg")
                let ran = try albumd.albumctl("save", card, "--external", "card:1", "--source", "delete")
                #expect(ran.code == 0, "\(ran.output)")
                #expect(try albumd.original(asset.localIdentifier) == SampleMedia.jpeg(1))
                #expect(access(card, F_OK) != 0)
            }
        }

        /// A mirrored folder would delete the photo with the file.
        @Test func aFileOfAMirroredFolderIsNotRemovedAfterItsSave() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let ran = try albumd.albumctl("save", drop.path, "--source", "delete")
                #expect(ran.code == 1 && ran.output.contains("the file stays"), "\(ran.output)")
                #expect(access(drop.path, F_OK) == 0)
            }
        }
    }
}
