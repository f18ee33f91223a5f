import EngineSupport
import FoundationEssentials
import Importing
import PhotoModel
import Testing

/// The table of RULES R5, R19, R29, R30.
@Suite struct DecideImportTests {
    private let folder = fixedUUID(1)
    private let mapped = LocalIdentifier(fixedUUID(2))
    private let owner = LocalIdentifier(fixedUUID(3))

    private func evidence(inode: UInt64 = 1, handle: [UInt8]? = [1], born: Int64? = 1) -> SourceEvidence {
        SourceEvidence(
            fileSystem: nil, inode: inode, handle: handle, born: born, modified: 1, changed: 1, byteCount: 1, hash: nil)
    }

    private func source(_ name: String, _ asset: LocalIdentifier?, _ evidence: SourceEvidence? = nil) -> Source {
        Source(
            key: SourceKey(folder: folder, path: PathBytes(name)), localIdentifier: asset,
            outcome: asset == nil ? .skipped : .imported, reason: .newContent, evidence: evidence)
    }

    private func facts(
        known: Source? = nil, former: Source? = nil, owner: LocalIdentifier? = nil, vacated: [Source] = [],
        now: SourceEvidence? = nil, type: ResourceType = .photo
    ) -> ImportFacts {
        ImportFacts(
            evidence: now ?? evidence(), resourceType: type,
            known: known.map { KnownSource(source: $0, types: [.photo]) },
            former: former.map { KnownSource(source: $0, types: [.photo]) }, owner: owner, vacated: vacated)
    }

    @Test func bytesThatNobodyHasAtAPathThatIsNewAreANewAsset() {
        #expect(decideImport(facts()) == .create(replacing: nil))
    }

    @Test func aPathThatWasNoAssetsIsAsGoodAsNew() {
        #expect(decideImport(facts(known: source("a", nil))) == .create(replacing: nil))
    }

    @Test func theSameFileRewrittenInPlaceIsAnEdit() {
        let known = source("a", mapped, evidence())
        #expect(decideImport(facts(known: known)) == .edit(mapped, from: []))
    }

    @Test func theSameFileRewrittenAndRenamedIsAnEdit() {
        let former = source("b", mapped, evidence())
        #expect(decideImport(facts(former: former)) == .edit(mapped, from: [former.key]))
        let replaced = source("a", owner, evidence(inode: 2))
        #expect(decideImport(facts(known: replaced, former: former)) == .edit(mapped, from: [former.key]))
        #expect(decideImport(facts(former: former, type: .video)) == .create(replacing: nil))
    }

    @Test(arguments: [(2, [1], 1), (1, [2], 1), (1, [1], 2), (1, nil, 2)] as [(UInt64, [UInt8]?, Int64)])
    func anotherFileAtThePathIsANewAsset(inode: UInt64, handle: [UInt8]?, born: Int64) {
        let known = source("a", mapped, evidence())
        let now = evidence(inode: inode, handle: handle, born: born)
        #expect(decideImport(facts(known: known, now: now)) == .create(replacing: mapped))
    }

    @Test func aPhotoThatBecameAVideoIsNoEdit() {
        let known = source("a", mapped, evidence())
        #expect(decideImport(facts(known: known, type: .video)) == .create(replacing: mapped))
    }

    @Test func aMappingWithoutEvidenceIsNoEdit() {
        #expect(decideImport(facts(known: source("a", mapped))) == .create(replacing: mapped))
    }

    @Test func bytesOfItsOwnAssetAreKept() {
        let known = source("a", mapped, evidence())
        #expect(decideImport(facts(known: known, owner: mapped)) == .keep(mapped))
        #expect(decideImport(facts(known: known, owner: mapped, vacated: [source("b", mapped)])) == .keep(mapped))
    }

    @Test func bytesOfAnAssetJoinIt() {
        #expect(decideImport(facts(owner: owner)) == .join(owner))
        #expect(decideImport(facts(known: source("a", mapped, evidence()), owner: owner)) == .join(owner))
    }

    @Test func bytesOfAnAssetWhoseFileIsGoneHaveMoved() {
        let gone = [source("b", owner), source("c", owner)]
        #expect(decideImport(facts(owner: owner, vacated: gone)) == .move(owner, from: gone.map(\.key)))
    }
}
