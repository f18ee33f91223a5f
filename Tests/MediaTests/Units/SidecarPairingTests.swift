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
        if let host { #expect(unit?.files.contains(key(host)) == true) }
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
