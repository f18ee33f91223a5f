import PhotoModel
import Platform
import Testing

@testable import Media

/// Files of one photo end as the same unit, whichever came first (docs/facts.md).
@Suite struct ArrivalOrderTests {
    private static let (time, camera) = ("03:04:05", "iPhone 6s")

    /// Everything says what it is of.
    private static func whole(_ name: String, id: String? = "A", at time: String = Self.time) -> CandidateFile {
        candidate(name, id: id, at: time, camera: camera)
    }

    /// The files, and the lines that they end as.
    static let sets: [(files: [CandidateFile], lines: [String])] = [
        // Identifiers alone.
        (
            [
                candidate("IMG_1.JPG", id: "A"), candidate("IMG_1.MOV", id: "A"), candidate("IMG_E1.JPG", id: "A"),
                candidate("IMG_E1.MOV", id: "A"), candidate("IMG_1.AAE"),
            ], ["1 IMG_1.JPG + 5 IMG_E1.JPG + 7 IMG_1.AAE + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        // The movie's clock is a second off the shutter.
        (
            [
                whole("IMG_1.JPG"), whole("IMG_1.DNG", id: nil), whole("IMG_1.MOV", at: "03:04:04"),
                whole("IMG_E1.JPG"), candidate("IMG_1.AAE"),
            ], ["1 IMG_1.JPG + 4 IMG_1.DNG + 5 IMG_E1.JPG + 7 IMG_1.AAE + 9 IMG_1.MOV"]
        ),
        (
            [
                whole("IMG_1.JPG"), whole("IMG_1.DNG", id: nil), whole("IMG_1.MOV"), whole("IMG_E1.JPG"),
                whole("IMG_E1.MOV"), candidate("IMG_1.AAE"),
            ], ["1 IMG_1.JPG + 4 IMG_1.DNG + 5 IMG_E1.JPG + 7 IMG_1.AAE + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        // The edit's halves have an identifier of their own, or none.
        (
            [
                whole("IMG_1.HEIC"), whole("IMG_1.MOV"), whole("IMG_E1.JPG", id: "B"), whole("IMG_E1.MOV", id: "B"),
                candidate("IMG_O1.AAE"),
            ], ["1 IMG_1.HEIC + 5 IMG_E1.JPG + 7 IMG_O1.AAE + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        (
            [whole("IMG_1.HEIC"), whole("IMG_1.MOV"), whole("IMG_E1.JPG", id: nil), whole("IMG_E1.MOV", id: "B")],
            ["1 IMG_1.HEIC + 5 IMG_E1.JPG + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        // One identifier is one photo, whatever a program has done to its date.
        (
            [whole("IMG_1.JPG"), whole("IMG_1.MOV"), whole("IMG_E1.JPG", at: "13:04:05")],
            ["1 IMG_1.JPG + 5 IMG_E1.JPG + 9 IMG_1.MOV"]
        ),
        (
            [candidate("IMG_1.DNG", id: "A"), candidate("IMG_1.HEIC", id: "A"), candidate("IMG_1.MOV", id: "A")],
            ["1 IMG_1.HEIC + 4 IMG_1.DNG + 9 IMG_1.MOV"]
        ),
        // The original is awaited for ever.
        (
            [whole("IMG_1.MOV"), whole("IMG_E1.JPG"), whole("IMG_E1.MOV"), whole("IMG_1.DNG", id: nil)],
            ["1 IMG_1.DNG + 5 IMG_E1.JPG + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        (
            [candidate("IMG_1.MOV", id: "A"), candidate("IMG_E1.JPG", id: "A"), candidate("IMG_E1.MOV", id: "A")],
            ["1 IMG_E1.JPG + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        // Pictures and videos alone, by their names.
        (
            [
                candidate("IMG_1.JPG"), candidate("IMG_E1.JPG"), candidate("IMG_1.AAE"), candidate("IMG_1.JPG.xmp"),
                candidate("IMG_1.JPG.json"),
            ], ["1 IMG_1.JPG + 5 IMG_E1.JPG + 7 IMG_1.AAE + 1001 IMG_1.JPG.xmp + 1002 IMG_1.JPG.json"]
        ),
        (
            [candidate("IMG_1.MOV"), candidate("IMG_E1.MOV"), candidate("IMG_1.AAE")],
            ["2 IMG_1.MOV + 6 IMG_E1.MOV + 7 IMG_1.AAE"]
        ),
        // Two photos stay two.
        (
            [
                whole("IMG_1.JPG"), whole("IMG_1.MOV"), whole("IMG_E1.JPG"), whole("IMG_2.JPG", id: "B"),
                whole("IMG_2.MOV", id: "B"), whole("IMG_E2.JPG", id: "B"),
            ], ["1 IMG_1.JPG + 5 IMG_E1.JPG + 9 IMG_1.MOV", "1 IMG_2.JPG + 5 IMG_E2.JPG + 9 IMG_2.MOV"]
        ),
        (
            [whole("IMG_1.JPG"), whole("IMG_1.MOV", id: "B"), whole("IMG_1.DNG", id: nil, at: "03:05:05")],
            ["IMG_1.DNG", "IMG_1.JPG", "IMG_1.MOV"]
        ),
    ]

    @Test(arguments: sets.indices) func whicheverFileComesFirst(set: Int) {
        let (files, lines) = Self.sets[set]
        for order in permutations(of: files) { expect(order.map { [$0] }, lines) }
    }

    @Test(arguments: sets.indices) func howeverTheyAreDividedIntoTwoBatches(set: Int) {
        let (files, lines) = Self.sets[set]
        expect([files], lines)
        for choice in 1..<(1 << files.count) - 1 {
            let first = files.indices.filter { choice & (1 << $0) != 0 }
            expect([first.map { files[$0] }, files.indices.filter { !first.contains($0) }.map { files[$0] }], lines)
        }
    }

    /// Whatever identifiers an edit has, and whatever is there of one photo.
    @Test(arguments: UInt64(1)...100) func filesThatSaySecondAndCameraAreOneAsset(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func any(_ identifiers: String?...) -> String? { identifiers.randomElement(using: &random) ?? nil }
        let edit = any("A", "B")
        let all = [
            Self.whole("IMG_1.HEIC", id: any("A", nil)), Self.whole("IMG_1.DNG", id: any("A", nil)),
            Self.whole("IMG_1.MOV", at: "03:04:03"), Self.whole("IMG_E1.JPG", id: any(edit, nil)),
            Self.whole("IMG_E1.MOV", id: edit, at: "03:04:03"), candidate("IMG_1.AAE"), candidate("IMG_1.xmp"),
            candidate("IMG_E1.JPG.xmp"),
        ]
        let files = all.filter { file in file.sidecar == nil && random.happens(0.7) || random.happens(0.3) }
        var library = Library()
        library.take(files)
        #expect(library.assetCount <= 1, "seed \(seed)")
        for _ in 1...20 {
            let order = files.shuffled(using: &random)
            let (one, other) = (Int.random(in: 0...files.count, using: &random), files.count)
            expect([order[..<one], order[one..<other]].map(Array.init), library.lines)
            expect(order.map { [$0] }, library.lines)
        }
    }

    /// All that depends on the order, as docs/facts.md says it: files, and how many of their orders end otherwise.
    static let exceptions: [(files: [CandidateFile], lines: [String], otherwise: Int)] = [
        // Movie and edit have nothing in common, and come before the picture.
        (
            [candidate("IMG_1.JPG", id: "A"), candidate("IMG_1.MOV", id: "A"), candidate("IMG_E1.JPG")],
            ["1 IMG_1.JPG + 5 IMG_E1.JPG + 9 IMG_1.MOV"], 2
        ),
        // The movie says no camera, and the RAW no identifier.
        (
            [whole("IMG_1.JPG"), candidate("IMG_1.MOV", id: "A"), whole("IMG_1.DNG", id: nil)],
            ["1 IMG_1.JPG + 4 IMG_1.DNG + 9 IMG_1.MOV"], 2
        ),
        // A sidecar's name means either of two photos, one of which was there.
        (
            [whole("IMG_1.JPG"), whole("IMG_1.DNG", id: nil, at: "03:05:05"), candidate("IMG_1.AAE")],
            ["1 IMG_1.DNG + 7 IMG_1.AAE", "IMG_1.JPG"], 2
        ),
        // So does an edit's that says nothing.
        (
            [whole("IMG_1.JPG", id: nil), whole("IMG_1.DNG", id: nil, at: "03:05:05"), candidate("IMG_E1.JPG")],
            ["IMG_1.DNG", "1 IMG_1.JPG + 5 IMG_E1.JPG"], 2
        ),
        // Two for one place: who comes first has it.
        (
            [candidate("IMG_1.HEIC", id: "A"), candidate("IMG_1.MOV", id: "A"), candidate("IMG_1.mov", id: "A")],
            ["1 IMG_1.HEIC + 9 IMG_1.MOV", "IMG_1.mov"], 2
        ),
        (
            [candidate("a/IMG_1.HEIC", id: "A"), candidate("a/IMG_1.MOV", id: "A"), candidate("b/X.MOV", id: "A")],
            ["1 a/IMG_1.HEIC + 9 a/IMG_1.MOV", "b/X.MOV"], 2
        ),
    ]

    @Test(arguments: exceptions.indices) func noMoreThanThisDependsOnTheOrder(set: Int) {
        let (files, lines, otherwise) = Self.exceptions[set]
        let ends = permutations(of: files).map { order in
            var library = Library()
            for file in order { library.take([file]) }
            return library.lines
        }
        #expect(ends.count { $0 != lines } == otherwise)
        expect([files], lines)
    }

    private func expect(_ batches: [[CandidateFile]], _ lines: [String]) {
        var library = Library()
        for batch in batches { library.take(batch) }
        #expect(library.lines == lines, "\(batches.map { $0.map(\.words) })")
    }
}

/// The assets that there are, and sidecars that wait.
private struct Library {
    private var files: [CandidateFile] = []
    private var assets: [MediaUnit] = []
    private var waiting: [CandidateFile] = []

    mutating func take(_ batch: [CandidateFile]) {
        importUnits(batch)
        importUnits(waiting)
    }

    private mutating func importUnits(_ coming: [CandidateFile]) {
        let plan = UnitPlan(files + coming, settled: assets)
        let homes = assets.map { asset in Set(asset.files.map { plan.unit(of: $0)?.primary.file }) }
        #expect(homes.allSatisfy { $0.count == 1 } && Set(homes).count == homes.count)
        waiting.removeAll { coming.contains($0) }
        for file in coming {
            if plan.unit(of: file.key)?.isOrphan == true { waiting.append(file) } else { files.append(file) }
        }
        assets = plan.units.filter { !$0.isOrphan }
    }

    var assetCount: Int { assets.count }

    var lines: [String] { UnitPlan.lines(of: assets) + waiting.map(\.words).sorted() }
}

extension CandidateFile {
    fileprivate var words: String { String(decoding: key.path.bytes, as: UTF8.self) }
}

private func permutations<Element>(of elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}
