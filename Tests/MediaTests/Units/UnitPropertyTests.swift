import PhotoModel
import Platform
import Testing

@testable import Media

/// What holds of every plan, whatever the files.
@Suite struct UnitPropertyTests {
    @Test(arguments: UInt64(1)...300)
    func everyFileIsInOneUnitWhateverTheOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let files = randomFiles(&random)
        let plan = UnitPlan(files)
        let shuffled = UnitPlan(files.shuffled(using: &random))
        #expect(plan.units == shuffled.units, "seed \(seed)")
        #expect(plan.nearMisses == shuffled.nearMisses && plan.stacks == shuffled.stacks, "seed \(seed)")
        expectWhole(plan, files, seed)
    }

    /// Files that come one after the other, each when the assets before it are settled: no asset is lost or divided,
    /// and no two become one.
    @Test(arguments: Array(UInt64(1)...150) + [2539, 3446, 4193])
    func anAssetOnceMadeStays(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var assets: [MediaUnit] = []
        var present: [CandidateFile] = []
        for file in randomFiles(&random).shuffled(using: &random) {
            present.append(file)
            let plan = UnitPlan(present, settled: assets)
            expectWhole(plan, present, seed)
            for asset in assets {
                let units = Set(asset.files.compactMap { plan.unit(of: $0)?.primary.file })
                #expect(units.count == 1, "seed \(seed)")
            }
            let homes = Set(assets.compactMap { plan.unit(of: $0.primary.file)?.primary.file })
            #expect(homes.count == assets.count, "seed \(seed)")
            assets = plan.units.filter { !$0.isOrphan }
        }
    }

    /// Who is looked for beside a file is all that the plan can put to it by a name.
    @Test(arguments: UInt64(1)...300)
    func whatIsPairedByNameIsANeighbour(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for unit in UnitPlan(randomFiles(&random)).units {
            for companion in unit.resources where companion.pairing.map(isByName) == true && unit.resources.count > 1 {
                let (file, names) = (companion.file, NeighbourNames(of: companion.file.path.name.bytes))
                let isFound = unit.files.contains { other in
                    let name = other.path.name.bytes
                    return other != file && other.path.directory == file.path.directory && names.covers(name)
                        && NeighbourNames(of: name).covers(file.path.name.bytes)
                }
                #expect(isFound, "seed \(seed): \(String(decoding: file.path.bytes, as: UTF8.self))")
            }
        }
    }

    private func isByName(_ pairing: Pairing) -> Bool {
        switch pairing {
        case .sameShutter, .edit, .sidecar: true
        default: false
        }
    }

    private func expectWhole(_ plan: UnitPlan, _ files: [CandidateFile], _ seed: UInt64) {
        let placed = plan.units.flatMap { unit in unit.resources.filter { $0.span == nil }.map(\.file) }
        #expect(placed.count == files.count && Set(placed) == Set(files.map(\.key)), "seed \(seed)")
        for unit in plan.units {
            let types = unit.resources.map(\.type).filter { $0 != .adjustmentData && $0.rawValue < 1000 }
            #expect(Set(types).count == types.count, "seed \(seed): \(types)")
            #expect([.photo, .video].contains(unit.primary.type) || unit.isOrphan, "seed \(seed)")
        }
    }

    /// Few names, directories and facts, so that they meet.
    private func randomFiles(_ random: inout SeededRandom) -> [CandidateFile] {
        let stems = ["IMG_1", "IMG_E1", "IMG_O1", "IMG_2", "IMG_E2", "a", "a(1)"]
        let suffixes = [
            "jpg", "JPG", "heic", "dng", "arw", "mov", "MOV", "xmp", "jpg.xmp", "AAE", "jpg.json", "jpg(1).json",
        ]
        var files: [SourceKey: CandidateFile] = [:]
        for _ in 0..<Int.random(in: 1...24, using: &random) {
            let stem = stems.randomElement(using: &random) ?? ""
            let suffix = suffixes.randomElement(using: &random) ?? ""
            let directory = ["", "d/"].randomElement(using: &random) ?? ""
            let file = candidate(
                "\(directory)\(stem).\(suffix)", id: [nil, "A", "B"].randomElement(using: &random) ?? nil,
                at: [nil, "03:04:05", "03:04:06"].randomElement(using: &random) ?? nil,
                camera: [nil, "X"].randomElement(using: &random) ?? nil,
                burst: [nil, nil, "B"].randomElement(using: &random) ?? nil,
                movie: random.happens(0.1) ? EmbeddedMovie(offset: 1, byteCount: 1) : nil)
            files[file.key] = file
        }
        return files.values.sorted { $0.key < $1.key }
    }
}
