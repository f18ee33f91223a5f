import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Files that say something of another file, in the real daemon.
    @BlockingThread struct Sidecars {
        enum Order: CaseIterable {
            case together, photoFirst, sidecarFirst
        }

        private nonisolated static let xmp = Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Tower</rdf:li></rdf:Alt></dc:title>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
        private nonisolated static let takeout = Array(
            """
            {"title": "IMG_1.jpg", "description": "From the bridge", "photoTakenTime": {"timestamp": "1546398245"},
             "geoData": {"latitude": 48.85, "longitude": 2.29, "altitude": 0.0}, "favorited": true}
            """.utf8)
        private nonisolated static let recipe = Array(
            """
            <?xml version="1.0"?><plist version="1.0"><dict><key>adjustmentFormatIdentifier</key>
            <string>com.apple.photo</string></dict></plist>
            """.utf8)
        private nonisolated static let all = [
            ("IMG_1.jpg.xmp", xmp, ResourceType.xmpSidecar), ("IMG_1.jpg.json", takeout, .takeoutSidecar),
            ("IMG_1.AAE", recipe, .adjustmentData),
        ]

        /// It is stored with its photo, and that it fills nothing is said.
        @Test func aSidecarThatCannotBeReadIsSaid() throws {
            guard try hasWorker() else { return }
            try withAlbumd { albumd in
                try albumd.drop("IMG_1.jpg", SampleMedia.jpeg(1))
                try albumd.drop("IMG_1.jpg.xmp", Array(Self.xmp.dropLast(40)))
                try albumd.flush()
                try albumd.awaitFacts()
                let asset = try albumd.asset(albumd.identifier(of: albumd.path("IMG_1.jpg")))
                #expect(asset.resources.map(\.type) == [1, ResourceType.xmpSidecar.rawValue])
                #expect(asset.facts?.faults.filter { $0.contains("'IMG_1.jpg.xmp' could not be read") }.count == 1)
                let told = try albumd.albumctl("asset", "get", "\(asset.localIdentifier)").output
                #expect(told.contains("could not be read, and fills nothing"), "\(told)")
            }
        }

        /// It waits for nothing, for everything that it may speak of is there; `why` says what is wrong with its name.
        @Test func aSidecarOfSeveralPhotosIsNobodys() throws {
            try withAlbumd { albumd in
                for (name, seed) in [("IMG_40.jpg", 1), ("IMG_40.jpeg", 2)] {
                    try albumd.drop(name, SampleMedia.jpeg(seed))
                }
                try albumd.flush()
                let sidecar = try albumd.drop("IMG_40.xmp", Self.xmp)
                #expect(try albumd.flush().waiting == [:])
                let why = try albumd.why(sidecar.path).summary
                #expect(why.contains("skipped") && why.contains("means several files alike"), "\(why)")
                // Its name is mended, and it is taken up.
                let mended = albumd.path("IMG_40.jpg.xmp")
                #expect(rename(sidecar.path, mended) == 0)
                try albumd.flush()
                #expect(try albumd.identifier(of: mended) == albumd.identifier(of: albumd.path("IMG_40.jpg")))
            }
        }

        enum Coming: CaseIterable {
            case copy, rename, restore, restoreMoved, back, purged
        }

        /// A sidecar that was passed over is its photo's as soon as that is there, however it came.
        @Test(arguments: Coming.allCases) func aSidecarThatWasPassedOverIsTakenUpHoweverItsPhotoComes(
            coming: Coming
        ) throws {
            let trashes = coming == .back || coming == .purged
            let lines =
                ["awaited = \"0s\""] + (trashes ? ["on_source_deleted = \"trash\""] : [])
                + (coming == .restoreMoved ? ["mode = \"move\""] : [])
            let setup = Setup(folders: [TestFolder(lines: lines), TestFolder(name: "phone", album: "Phone")])
            try withAlbumd(setup, test: "\(#function)\(coming)") { albumd in
                let photo = SampleMedia.jpeg(1)
                let first = try albumd.drop("IMG_1.jpg", photo, in: coming == .copy ? "phone" : "inbox")
                if coming == .rename { #expect(rename(first.path, albumd.path("before.jpg")) == 0) }
                try albumd.flush()
                switch coming {
                case .copy, .rename: break
                case .restore, .restoreMoved: try albumd.delete(first)
                case .back, .purged:
                    try albumd.other.unlink(first.path)
                    try albumd.flush()
                    if coming == .purged { try albumd.purgeAll() }
                }
                let sidecar = try albumd.drop("IMG_1.jpg.xmp", Self.xmp)
                try albumd.flush()
                #expect(try albumd.why(sidecar.path).summary.contains("skipped"), "\(coming)")
                switch coming {
                case .copy, .back, .purged: try albumd.drop("IMG_1.jpg", photo)
                case .rename: #expect(rename(albumd.path("before.jpg"), albumd.path("IMG_1.jpg")) == 0)
                case .restore, .restoreMoved:
                    let _: TrashResult = try albumd.post(
                        "/v1/trash/restore", AssetsRequest(subjects: [albumd.subject(first)]))
                }
                try albumd.flush()
                let asset = try albumd.identifier(of: albumd.path("IMG_1.jpg"))
                #expect(try albumd.identifier(of: sidecar.path) == asset, "\(coming)")
                #expect(try albumd.asset(asset).resources.map(\.type) == [1, ResourceType.xmpSidecar.rawValue])
            }
        }

        /// UTF-16 is XMP's as well as UTF-8 is (ISO 16684-1, 7.1).
        @Test func aSidecarInUTF16IsRead() throws {
            guard try hasWorker() else { return }
            try withAlbumd { albumd in
                try albumd.drop("IMG_1.jpg", SampleMedia.jpeg(1))
                try albumd.drop("IMG_1.xmp", [0xFF, 0xFE] + Self.xmp.flatMap { [$0, 0] })
                try albumd.flush()
                try albumd.awaitFacts()
                let asset = try albumd.asset(albumd.identifier(of: albumd.path("IMG_1.jpg")))
                #expect(asset.facts?.title == "Tower" && asset.facts?.faults == [])
            }
        }

        /// What a photo lost comes back by the file that it was, a sidecar's as a picture's.
        @Test func aSidecarThatIsLostComesBackBySave() throws {
            try withAlbumd { albumd in
                try albumd.drop("IMG_1.jpg", SampleMedia.jpeg(1))
                let sidecar = try albumd.drop("IMG_1.jpg.xmp", Self.xmp)
                try albumd.flush()
                let asset = try albumd.asset(albumd.identifier(of: sidecar.path))
                let version = try #require(asset.resources.last?.versions.last)
                let hash = version.sha256.hexadecimal
                let original = albumd.installation.library + "/originals/\(hash.prefix(2))/\(hash).xmp"
                try albumd.other.write(albumd.scratch.path("copy.xmp"), Self.xmp)
                try albumd.other.unlink(original)
                try albumd.other.unlink(sidecar.path)
                let found = try albumd.albumctl("repair")
                #expect(found.output.contains("lost") && found.output.contains("IMG_1.jpg.xmp"), "\(found.output)")
                let saved = try albumd.albumctl("save", albumd.scratch.path("copy.xmp"))
                #expect(saved.code == 0, "\(saved.output)")
                #expect(try albumd.other.read(original) == Self.xmp)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try albumd.assets().count == 1)
            }
        }

        @Test(arguments: Order.allCases)
        func sidecarsAreFilesOfTheirPhotoWhicheverComesFirst(order: Order) throws {
            try withAlbumd(test: "\(#function)\(order)") { albumd in
                let photo = SampleMedia.jpeg(1)
                func dropSidecars() throws { for (name, bytes, _) in Self.all { try albumd.drop(name, bytes) } }
                if order != .sidecarFirst { try albumd.drop("IMG_1.jpg", photo) }
                if order == .photoFirst { try albumd.flush() }
                try dropSidecars()
                if order == .sidecarFirst {
                    #expect(try albumd.flush().waiting == ["companionAwaited": 3])
                    let pending = try albumd.pending()
                    #expect(pending.map(\.reason) == [.companionAwaited, .companionAwaited, .companionAwaited])
                    #expect(pending.allSatisfy { $0.retryDate != nil && $0.detail?.contains("awaits") == true })
                    #expect(try albumd.assets() == [])
                    // Nothing names their bytes yet: they are not kept, and no orphans.
                    #expect(try albumd.albumctl("verify", "--deep").code == 0)
                    #expect(try albumd.status().orphanCount == 0)
                    try albumd.drop("IMG_1.jpg", photo)
                }
                try albumd.flush()
                let identifier = try albumd.identifier(of: albumd.path("IMG_1.jpg"))
                for (name, bytes, type) in Self.all {
                    #expect(try albumd.identifier(of: albumd.path(name)) == identifier, "\(name)")
                    let resource = try albumd.asset(identifier).resources.first { $0.type == type.rawValue }
                    #expect(resource?.versions.map(\.sha256) == [sha256(bytes)], "\(name)")
                    #expect(try albumd.mapping(albumd.path(name))?.reason == .paired)
                }
                #expect(try albumd.assets().count == 1 && albumd.pending() == [])
                guard try hasWorker() else { return }
                try albumd.awaitFacts()
                let row = try albumd.asset(identifier)
                #expect(row.facts?.title == "Tower" && row.facts?.filledBySidecar[.title] == .xmp)
                #expect(row.facts?.caption == "From the bridge" && row.facts?.location?.latitude == 48.85)
                #expect(row.smartAlbums == [.favorites])
                #expect(row.creationDateSource == .captured && row.facts?.captureDate?.source == .takeoutSidecar)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// What no photo came for is passed over, and seen again when it comes.
        @Test func whatWasPassedOverIsSeenAgain() throws {
            let setup = Setup(folders: [TestFolder(lines: ["awaited = \"0s\""])])
            try withAlbumd(setup) { albumd in
                for (name, bytes, _) in Self.all { try albumd.drop(name, bytes) }
                #expect(try albumd.flush().waiting == [:])
                for (name, _, _) in Self.all {
                    #expect(try albumd.mapping(albumd.path(name)) == nil)
                    #expect(try albumd.why(albumd.path(name)).summary.contains("skipped (notMedia)"))
                }
                #expect(try albumd.status().originalCount == 0)
                try albumd.drop("IMG_1.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                #expect(try albumd.asset(albumd.identifier(of: albumd.path("IMG_1.jpg"))).resources.count == 4)
            }
        }

        /// A recipe is often the same of many photos.
        @Test func equalSidecarsOfTwoPhotosAreEachOnesOwn() throws {
            try withAlbumd { albumd in
                for number in 1...2 {
                    try albumd.drop("IMG_\(number).jpg", SampleMedia.jpeg(number))
                    try albumd.drop("IMG_\(number).AAE", Self.recipe)
                }
                try albumd.flush()
                for number in 1...2 {
                    let identifier = try albumd.identifier(of: albumd.path("IMG_\(number).jpg"))
                    #expect(try albumd.identifier(of: albumd.path("IMG_\(number).AAE")) == identifier)
                    #expect(try albumd.asset(identifier).resources.map(\.type) == [1, 7])
                }
                #expect(try albumd.assets().count == 2 && albumd.status().originalCount == 3)
            }
        }

        @Test func aSidecarThatIsWrittenAnewHasAnotherVersion() throws {
            try withAlbumd { albumd in
                try albumd.drop("IMG_1.jpg", SampleMedia.jpeg(1))
                try albumd.drop("IMG_1.xmp", Self.xmp)
                try albumd.drop("IMG_1.jpg.xmp", Self.xmp + Array("<!-- darktable's -->".utf8))
                try albumd.flush()
                let identifier = try albumd.identifier(of: albumd.path("IMG_1.jpg"))
                #expect(try albumd.asset(identifier).resources.map(\.type) == [1, 1001, 1001])
                let edited = Self.xmp + Array("<!-- edited -->".utf8)
                // As programs write: a new file over the old one.
                try albumd.other.write(albumd.scratch.path("new"), edited)
                try albumd.other.unlink(albumd.path("IMG_1.xmp"))
                try albumd.other.rename(albumd.scratch.path("new"), to: albumd.path("IMG_1.xmp"))
                try albumd.flush()
                let resources = try albumd.asset(identifier).resources
                #expect(resources.map(\.type) == [1, 1001, 1001])
                let versions = resources.first { $0.originalFilename == "IMG_1.xmp" }?.versions.map(\.sha256)
                #expect(versions == [sha256(Self.xmp), sha256(edited)])
                #expect(resources.first { $0.originalFilename == "IMG_1.jpg.xmp" }?.versions.count == 1)
                try albumd.awaitFacts()
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }
    }
}
