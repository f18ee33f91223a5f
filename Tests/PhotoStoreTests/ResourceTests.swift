import FoundationEssentials
import PhotoModel
import PhotoStore
import TestSupport
import Testing

/// Several files of one asset, in the catalogue.
@Suite struct ResourceTests {
    /// A movie is asset 1's, which was imported alone.
    private func withMovie(_ body: @Sendable (isolated PhotoLibrary) throws -> Void) throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                let staged = try library.stage("movie", fileExtension: "mov")
                _ = try library.publish([staged], origin: "import") { change in
                    guard case .createAsset(var creation) = Sample.asset(1, staged.content, name: "A.MOV") else {
                        return
                    }
                    (creation.mediaType, creation.resourceType) = (.video, .video)
                    try change.perform(.createAsset(creation))
                }
                try body(library)
            }
        }
    }

    @Test func whatCameAloneIsSomethingElseOnceItsPictureIsThere() throws {
        try withMovie { library throws in
            try library.join()
            let asset = try #require(try library.read { try $0.asset(Sample.identifier(1)) })
            #expect(asset.mediaType == .image && asset.resources.map(\.type) == [.photo, .pairedVideo])
            #expect(asset.resources.map(\.originalFilename) == [PathBytes("A.HEIC"), PathBytes("A.MOV")])
            // The picture's bytes are those that its facts are of.
            let work = try library.read { try $0.factsWork(in: 0...Int64.max, limit: 9) }
            #expect(try work.map(\.content.hash) == [Sample.content("picture").hash])
        }
    }

    @Test func thePictureOfAMovieIsALivePhotoAndNoVideo() throws {
        try withMovie { library throws in
            try library.perform(try Sample.facts(of: 1, "movie"))
            #expect(try library.read { try $0.smartAlbums(of: Sample.identifier(1)) } == [.screenshots, .videos])
            try library.join()
            #expect(try library.read { try $0.smartAlbums(of: Sample.identifier(1)) } == [.livePhotos, .screenshots])
        }
    }

    @Test func bytesThatItHasAreNoNewFile() throws {
        try withMovie { library throws in
            try library.join()
            let content = try Sample.content("picture")
            let addition = ResourceAddition(
                localIdentifier: Sample.identifier(1), resourceType: .alternatePhoto,
                originalFilename: PathBytes("B.HEIC"), content: content)
            #expect(try library.perform(.addResource(addition)) == nil)
        }
    }

    @Test func twoFilesCanChangePlaces() throws {
        try withMovie { library throws in
            try library.join()
            let roles = try [
                ResourceRole(hash: Sample.content("movie").hash, type: .photo),
                ResourceRole(hash: Sample.content("picture").hash, type: .pairedVideo),
            ]
            try library.perform(
                .arrangeResources(
                    ResourceArrangement(localIdentifier: Sample.identifier(1), mediaType: .image, roles: roles)))
            let resources = try library.read { try $0.asset(Sample.identifier(1))?.resources ?? [] }
            #expect(resources.map(\.originalFilename) == [PathBytes("A.MOV"), PathBytes("A.HEIC")])
        }
    }

    /// And an undo of that finds it again.
    @Test func aNewVersionGoesToTheSidecarThatIsMeant() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            try bench.change([Sample.asset(50, try Sample.content("photo"))])
            for text in ["x", "y"] {
                try bench.change([
                    .addResource(
                        ResourceAddition(
                            localIdentifier: Sample.identifier(50), resourceType: .xmpSidecar,
                            originalFilename: PathBytes(text), content: try Sample.content(text)))
                ])
            }
            let edit = VersionAddition(
                localIdentifier: Sample.identifier(50), resourceType: .xmpSidecar, content: try Sample.content("y2"),
                replacing: try Sample.content("y").hash)
            let token = try #require(try bench.change([.addVersion(edit)]))
            func versions() throws -> [Int] {
                try bench.library.onThread { library in
                    try library.read { try $0.asset(Sample.identifier(50))?.resources.map(\.versions.count) ?? [] }
                }
            }
            #expect(try versions() == [1, 1, 2])
            let undone = try bench.undo(token)
            #expect(undone.plan.requests.map(\.name) == [.addVersion])
            #expect(try versions() == [1, 1, 3])
        }
    }

    @Test func anUndoOfWhatCameToAnAssetLeavesIt() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            try bench.change([Sample.asset(50, try Sample.content("photo"))])
            let addition = ResourceAddition(
                localIdentifier: Sample.identifier(50), resourceType: .xmpSidecar, originalFilename: PathBytes("x"),
                content: try Sample.content("x"))
            let token = try #require(try bench.change([.addResource(addition)]))
            let undone = try bench.undo(token)
            #expect(undone.plan.requests == [])
            #expect(
                undone.plan.remarks == [
                    "asset \(Sample.identifier(50)) keeps what came to it: its files belong together"
                ])
        }
    }
}

extension PhotoLibrary {
    /// The picture of asset 1's movie comes.
    fileprivate func join() throws {
        let picture = try stage("picture", fileExtension: "heic")
        let movie = try Sample.content("movie").hash
        _ = try publish([picture], origin: "import") { change in
            try change.perform(
                .arrangeResources(
                    ResourceArrangement(
                        localIdentifier: Sample.identifier(1), mediaType: .image,
                        roles: [ResourceRole(hash: movie, type: .pairedVideo)])))
            try change.perform(
                .addResource(
                    ResourceAddition(
                        localIdentifier: Sample.identifier(1), resourceType: .photo,
                        originalFilename: PathBytes("A.HEIC"), content: picture.content)))
        }
    }
}
