import PhotoModel
import Testing

@testable import Media

/// Which photo a sidecar speaks of: by its name, in its own directory.
@Suite struct SidecarPairingTests {
    /// I20: the names that other programs tied to the wrong image.
    @Test func sidecarsAreTiedToTheirOwnImage() {
        let names = ["IMG.jpg", "IMG_1.jpg", "IMG.xmp", "IMG.jpg.xmp", "IMG.AAE"]
        #expect(
            UnitPlan(names.map { candidate($0) }).lines == [
                "1 IMG.jpg + 7 IMG.AAE + 1001 IMG.jpg.xmp + 1001 IMG.xmp", "IMG_1.jpg",
            ])
    }

    @Test(
        arguments: [
            ("IMG.jpg.json", ["IMG.jpg", "IMG(1).jpg", "IMG.png"], "IMG.jpg"),
            ("IMG.jpg.supplemental-metadata.json", ["IMG.jpg", "IMG(1).jpg"], "IMG.jpg"),
            ("IMG.jpg.supplemental-metad.json", ["IMG.jpg", "IMG(1).jpg"], "IMG.jpg"),
            ("IMG.jpg.s.json", ["IMG.jpg"], "IMG.jpg"), ("IMG.jpg..json", ["IMG.jpg"], "IMG.jpg"),
            ("IMG.jpg(1).json", ["IMG.jpg", "IMG(1).jpg"], "IMG(1).jpg"),
            ("IMG.jpg.supplemental-metadata(1).json", ["IMG.jpg", "IMG(1).jpg"], "IMG(1).jpg"),
            ("IMG(1).jpg.json", ["IMG.jpg", "IMG(1).jpg"], "IMG(1).jpg"),
            ("IMG.jpg(2).json", ["IMG.jpg", "IMG(1).jpg"], nil), ("IMG.json", ["IMG.jpg"], nil),
            ("metadata.json", ["IMG.jpg"], nil), ("IMG.jpg.supplementary.json", ["IMG.jpg"], nil),
            (
                "Bildschirmfoto vom Konzert in der Elbphilharmo.json",
                ["Bildschirmfoto vom Konzert in der Elbphilharmonie.jpg", "Bild.jpg"],
                "Bildschirmfoto vom Konzert in der Elbphilharmonie.jpg"
            ),
            (
                "Bildschirmfoto vom Konzert in der Elbphilharmo.json",
                [
                    "Bildschirmfoto vom Konzert in der Elbphilharmonie.jpg",
                    "Bildschirmfoto vom Konzert in der Elbphilharmonie 2.jpg",
                ],
                nil
            ),
            ("PXL_20231006_063909898.LS.mp4.json", ["PXL_20231006_063909898.LS.mp4"], "PXL_20231006_063909898.LS.mp4"),
            ("IMG.xmp", ["IMG.jpg", "IMG_1.jpg"], "IMG.jpg"), ("IMG.XMP", ["IMG.jpg"], "IMG.jpg"),
            ("IMG.jpg.xmp", ["IMG.jpg", "IMG.CR2"], "IMG.jpg"), ("IMG.xmp", ["IMG.jpg", "IMG.cr2"], "IMG.cr2"),
            ("IMG.xmp", ["IMG.jpg", "IMG.mov"], "IMG.jpg"), ("IMG.xmp", ["IMG.jpg", "IMG.png"], nil),
            ("img.xmp", ["IMG.jpg"], nil), ("IMG.xmp", ["sub/IMG.jpg"], nil), (".xmp", ["IMG.jpg"], nil),
            ("IMG_1.AAE", ["IMG_1.MOV"], "IMG_1.MOV"), ("IMG_O1.AAE", ["IMG_1.MOV", "IMG_O1.png"], "IMG_O1.png"),
            ("IMG_1.AAE", ["IMG_1.JPG", "IMG_E1.JPG"], "IMG_1.JPG"),
        ] as [(String, [String], String?)])
    func aSidecarFindsItsFile(sidecar: String, media: [String], host: String?) {
        let plan = UnitPlan((media + [sidecar]).map { candidate($0) })
        let unit = plan.unit(of: key(sidecar))
        #expect(unit?.files.contains { $0 != key(sidecar) } == (host != nil))
        guard let host else { return }
        #expect(unit?.files.contains(key(host)) == true)
        // The importer looks for either beside the other.
        #expect(NeighbourNames(of: Array(sidecar.utf8)).covers(Array(host.utf8)))
        #expect(NeighbourNames(of: Array(host.utf8)).covers(Array(sidecar.utf8)))
    }

    @Test func aNameThatOnlyBeginsLikeAnotherIsNotNearIt() {
        for (one, other) in [("IMG_1.jpg", "IMG_10.jpg"), ("IMG_1.xmp", "IMG_12.jpg"), ("a.jpg", "ab.json")] {
            #expect(!NeighbourNames.areNear(Array(one.utf8), Array(other.utf8)), "\(one) \(other)")
        }
    }

    /// The content has the last word.
    @Test(
        arguments: [
            ("a.xmp", #"<?xpacket?><x:xmpmeta xmlns:x="adobe:ns:meta/">"#, SidecarKind.xmp), ("a.xmp", "hello", nil),
            ("a.jpg", "<x:xmpmeta>", nil), ("a.json", #"{"title":"a","photoTakenTime":{"timestamp":"1"}}"#, .takeout),
            ("a.json", #"{"name":"npm"}"#, nil), ("a.json", "<x:xmpmeta>", nil),
            (
                "a.AAE", "<plist><key>adjustmentFormatIdentifier</key><string>com.apple.photo</string></plist>",
                .adjustment
            ), ("a.aae", "<plist></plist>", nil),
        ] as [(String, String, SidecarKind?)])
    func aSidecarIsOneByItsNameAndItsBytes(name: String, text: String, kind: SidecarKind?) {
        #expect(SidecarKind(reading: Array(text.utf8), named: Array(name.utf8)) == kind)
    }

    /// JSON of another program has a sidecar's name; a name that is no sidecar's has none of its rules.
    @Test func aRoleAgainstTheNameIsKept() {
        let odd = CandidateFile(key: key("IMG.jpg.txt"), role: .sidecar(.takeout))
        #expect(UnitPlan([odd, candidate("IMG.jpg")]).lines == ["IMG.jpg", "IMG.jpg.txt"])
    }

    @Test func namesThatAreNoTextAreCompared() {
        let name: [UInt8] = [0xFF, 0x80, 0x2E, 0x6A, 0x70, 0x67]
        let picture = CandidateFile(key: SourceKey(folder: key("").folder, path: PathBytes(name)), role: .media(.jpeg))
        let sidecar = CandidateFile(
            key: SourceKey(folder: key("").folder, path: PathBytes(name + Array(".xmp".utf8))), role: .sidecar(.xmp))
        #expect(UnitPlan([picture, sidecar]).units.count == 1)
    }
}
