import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Several files that are one asset, in the real daemon with its real worker.
    @BlockingThread struct Units {
        @Test func theHalvesOfALivePhotoThatComeTogetherAreOneAsset() throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            try withAlbumd { albumd in
                for pair in corpus.livePhotos {
                    for entry in [pair.picture, pair.movie] { try albumd.drop(entry.name, corpus.bytes(of: entry)) }
                }
                try albumd.flush()
                for pair in corpus.livePhotos { try expectPair(pair, in: albumd, corpus) }
                #expect(try albumd.assets().count == corpus.livePhotos.count)
                try albumd.awaitFacts()
                for pair in corpus.livePhotos { try expectPair(pair, in: albumd, corpus) }
                #expect(try albumd.pending() == [])
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// FEATURES N5: what comes late joins, and the identifier stays.
        @Test(arguments: [true, false])
        func aHalfThatComesLateJoinsTheOther(isPictureFirst: Bool) throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            try withAlbumd(test: "\(#function)\(isPictureFirst)") { albumd in
                for pair in corpus.livePhotos {
                    let halves = isPictureFirst ? [pair.picture, pair.movie] : [pair.movie, pair.picture]
                    try albumd.drop(halves[0].name, corpus.bytes(of: halves[0]))
                    try albumd.flush()
                    let first = try albumd.identifier(of: albumd.path(halves[0].name))
                    #expect(try albumd.asset(first).mediaType == (isPictureFirst ? .image : .video))
                    try albumd.awaitFacts()
                    try albumd.drop(halves[1].name, corpus.bytes(of: halves[1]))
                    try albumd.flush()
                    #expect(try expectPair(pair, in: albumd, corpus) == first)
                    try albumd.awaitFacts()
                    try expectPair(pair, in: albumd, corpus)
                }
                let smart: PageOf<SmartAlbumRow> = try albumd.get("/v1/smart-albums")
                #expect(smart.rows.first { $0.title == .livePhotos }?.count == corpus.livePhotos.count)
                #expect(smart.rows.first { $0.title == .videos }?.count == 0)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// The photo is named, whichever of its files came last, under the name that it has; a deleted one awaits nothing.
        @Test func whatIsAwaitedIsOfThePhoto() throws {
            guard let corpus = FactsCorpus(), try hasWorker(), let pair = corpus.livePhotos.first else { return }
            let recipe = """
                <?xml version="1.0"?><plist version="1.0"><dict><key>adjustmentFormatIdentifier</key>
                <string>com.apple.photo</string></dict></plist>
                """
            try withAlbumd { albumd in
                let picture = try albumd.drop(pair.picture.name, corpus.bytes(of: pair.picture))
                try albumd.flush()
                let stem = pair.picture.name.split(separator: ".")[0]
                try albumd.drop("\(stem).AAE", Array(recipe.utf8))
                try albumd.flush()
                #expect(try albumd.pending().map(\.path) == [picture.path])
                let renamed = albumd.path("Renamed.HEIC")
                #expect(rename(picture.path, renamed) == 0)
                try albumd.flush()
                #expect(try albumd.pending().map(\.path) == [renamed])
                try albumd.delete(Drop(path: renamed, bytes: picture.bytes))
                try albumd.flush()
                #expect(try albumd.pending() == [])
            }
        }

        /// By the identifier in Apple's maker note, whatever both are called and however soon the movie comes.
        @Test(arguments: [true, false]) func aJPEGHalfIsKnownAsItComesIn(isPictureFirst: Bool) throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            let pair = try #require(corpus.livePhotos.first { $0.picture.name.hasSuffix("JPG") })
            let halves = [("b.JPG", pair.picture), ("a.MOV", pair.movie)]
            try withAlbumd(test: "\(#function)\(isPictureFirst)") { albumd in
                let (first, second) = (halves[isPictureFirst ? 0 : 1], halves[isPictureFirst ? 1 : 0])
                try albumd.drop(first.0, corpus.bytes(of: first.1))
                try albumd.flush()
                let asset = try albumd.identifier(of: albumd.path(first.0))
                #expect(try albumd.pending().map(\.reason) == [.companionAwaited])
                try albumd.drop(second.0, corpus.bytes(of: second.1))
                try albumd.flush()
                #expect(try albumd.identifier(of: albumd.path(second.0)) == asset)
                #expect(try albumd.asset(asset).resources.map(\.type) == [1, 9] && albumd.pending() == [])
            }
        }

        /// The JPEG's EXIF has the second and the camera of the RAW in the corpus.
        @Test(arguments: [true, false]) func rawAndPictureOfOneShutterAreOneAsset(isRAWFirst: Bool) throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            let raw = try corpus.bytes(of: corpus.entry("raw/CanonRaw.cr2"))
            let picture = SampleMedia.jpeg(taken: "2005:08:03 18:59:18", with: "Canon EOS 350D DIGITAL")
            let other = SampleMedia.jpeg(taken: "2005:08:03 18:59:19", with: "Canon EOS 350D DIGITAL")
            try withAlbumd(test: "\(#function)\(isRAWFirst)") { albumd in
                let files = isRAWFirst ? [("A.CR2", raw), ("A.JPG", picture)] : [("A.JPG", picture), ("A.CR2", raw)]
                try albumd.drop(files[0].0, files[0].1)
                try albumd.flush()
                let first = try albumd.identifier(of: albumd.path(files[0].0))
                try albumd.drop(files[1].0, files[1].1)
                try albumd.flush()
                #expect(try albumd.identifier(of: albumd.path(files[1].0)) == first)
                let row = try albumd.asset(first)
                #expect(row.resources.map(\.type) == [ResourceType.photo, .alternatePhoto].map(\.rawValue))
                #expect(row.originalFilename == "A.JPG" && row.resources[0].versions[0].sha256 == sha256(picture))
                #expect(try albumd.why(albumd.path("A.CR2")).summary.contains("is the RAW of the picture"))
                // Another second is another photo.
                try albumd.makeDirectories("b")
                try albumd.drop("b/A.CR2", raw + [0])
                try albumd.drop("b/A.JPG", other)
                try albumd.flush()
                #expect(try albumd.assets().count == 3)
                let story = try albumd.why(albumd.path("b/A.CR2")).events.map(\.text).joined()
                #expect(story.contains("was taken in another second"), "\(story)")
                try albumd.awaitFacts()
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Apple's export of an edited photo: the original, what became of it, and the recipe.
        @Test(arguments: [[0, 1, 2], [1, 2, 0], [2, 1, 0], [1, 0, 2]])
        func theFilesOfAnEditAreOneAsset(order: [Int]) throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            let paths = ["jpeg-exif/IMG_4120.JPG", "sidecars/IMG_E4120.JPG", "sidecars/IMG_4120.AAE"]
            let entries = try order.map { try corpus.entry(paths[$0]) }
            try withAlbumd(test: "\(#function)\(order)") { albumd in
                for entry in entries {
                    try albumd.drop(entry.name, corpus.bytes(of: entry))
                    try albumd.flush()
                }
                #expect(try albumd.assets().count == 1)
                let row = try albumd.asset(albumd.identifier(of: albumd.path("IMG_4120.JPG")))
                let types: [ResourceType] = [.photo, .fullSizePhoto, .adjustmentData]
                #expect(row.resources.map(\.type) == types.map(\.rawValue))
                #expect(row.resources.map(\.originalFilename) == ["IMG_4120.JPG", "IMG_E4120.JPG", "IMG_4120.AAE"])
                try albumd.awaitFacts()
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Each is an asset, as in PhotoKit, and one stands for all.
        @Test func thePicturesOfABurstAreAStack() throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            let entries = try ["bursts/IMG_0658.JPG", "bursts/IMG_0664.JPG"].map { try corpus.entry($0) }
            try withAlbumd { albumd in
                for entry in entries { try albumd.drop(entry.name, corpus.bytes(of: entry)) }
                try albumd.flush()
                try albumd.awaitFacts()
                let rows = try entries.map { try albumd.asset(albumd.identifier(of: albumd.path($0.name))) }
                let first = try #require(rows.min { $0.creationDate < $1.creationDate })
                #expect(
                    rows.map(\.burst) == [
                        BurstRow(count: 2, representative: first.localIdentifier),
                        BurstRow(count: 2, representative: first.localIdentifier),
                    ])
            }
        }

        /// Nothing waits for a companion, but it is said that it is awaited.
        @Test func aHalfIsImportedAtOnceAndPendingSaysWhatItAwaits() throws {
            guard let corpus = FactsCorpus(), try hasWorker(), let pair = corpus.livePhotos.last else { return }
            try withAlbumd { albumd in
                try albumd.drop(pair.movie.name, corpus.bytes(of: pair.movie))
                #expect(try albumd.flush().waiting == [:])
                let pending = try albumd.pending()
                let identifier = try albumd.identifier(of: albumd.path(pair.movie.name))
                #expect(pending.map(\.localIdentifier) == [identifier])
                #expect(pending.map(\.outcome) == [.imported] && pending.map(\.reason) == [.companionAwaited])
                #expect(pending.first?.detail?.contains("the picture of the Live Photo") == true)
                try albumd.drop(pair.picture.name, corpus.bytes(of: pair.picture))
                try albumd.flush()
                #expect(try albumd.pending() == [])
                // Each file says where it is from, and the movie why it is here.
                let resources = try albumd.asset(identifier).resources
                #expect(
                    resources.map { $0.sources?.map(\.path) } == [
                        [albumd.path(pair.picture.name)], [albumd.path(pair.movie.name)],
                    ])
                #expect(resources.map { $0.pairing != nil } == [false, true])
            }
        }

        @discardableResult
        private func expectPair(
            _ pair: FactsCorpus.LivePhoto, in albumd: Albumd, _ corpus: FactsCorpus
        ) throws -> LocalIdentifier {
            let identifier = try albumd.identifier(of: albumd.path(pair.picture.name))
            #expect(try albumd.identifier(of: albumd.path(pair.movie.name)) == identifier, "\(pair.movie.path)")
            let row = try albumd.asset(identifier)
            #expect(row.mediaType == .image && row.originalFilename == pair.picture.name)
            #expect(row.resources.map(\.type) == [ResourceType.photo, .pairedVideo].map(\.rawValue))
            #expect(row.resources.last?.originalFilename == pair.movie.name)
            let files = try [pair.picture, pair.movie].map { sha256(try corpus.bytes(of: $0)) }
            #expect(row.resources.map { $0.versions.map(\.sha256) } == files.map { [$0] })
            #expect(row.facts?.playbackStyle == .livePhoto)
            #expect(row.smartAlbums?.contains(.livePhotos) == true && row.smartAlbums?.contains(.videos) == false)
            let why = try albumd.why(albumd.path(pair.movie.name)).summary
            #expect(why.contains("content identifier"), "\(why)")
            return identifier
        }
    }
}

/// Without what it needs, albumd-media is not built, and there are no facts to test.
func hasWorker() throws -> Bool {
    guard access(builtProgram("albumd-media"), X_OK) == 0 else {
        print("skipped: albumd-media was not built, for a library that it needs is missing")
        return false
    }
    return true
}
