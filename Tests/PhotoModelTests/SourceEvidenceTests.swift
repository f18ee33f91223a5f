import FoundationEssentials
import PhotoModel
import Testing

/// RULES R29: the same inode is the same file unless something else tells them apart.
@Suite struct SourceEvidenceTests {
    private let evidence = SourceEvidence(
        fileSystem: [1], inode: 7, handle: [2], born: 3, modified: 4, changed: 5, byteCount: 6, hash: nil)

    private func with(_ change: (inout SourceEvidence) -> Void) -> SourceEvidence {
        var other = evidence
        change(&other)
        return other
    }

    @Test func anotherInodeIsAnotherFile() {
        #expect(!evidence.isSameFile(as: with { $0.inode = 8 }))
    }

    @Test func aReusedInodeIsAnotherFile() {
        #expect(!evidence.isSameFile(as: with { $0.handle = [9] }))
        #expect(!evidence.isSameFile(as: with { $0.born = 9 }))
        #expect(!evidence.isSameFile(as: with { $0.fileSystem = [9] }))
    }

    @Test func whatOneOfThemDoesNotKnowTellsNothing() {
        #expect(evidence.isSameFile(as: with { $0.handle = nil }))
        #expect(evidence.isSameFile(as: with { $0.born = nil }))
        #expect(evidence.isSameFile(as: with { $0.fileSystem = nil }))
        #expect(!evidence.isSameFile(as: with { ($0.handle, $0.born) = (nil, 9) }))
    }

    @Test func aTouchedOrRewrittenFileIsTheSameFileChanged() {
        let changes: [(inout SourceEvidence) -> Void] = [
            { $0.byteCount = 9 }, { $0.modified = 9 }, { $0.changed = 9 },
        ]
        for change in changes {
            let other = with(change)
            #expect(evidence.isSameFile(as: other))
            #expect(!evidence.isUnchanged(from: other))
        }
    }

    @Test func aFileThatNobodyTouchedIsUnchangedWhetherHashedOrNot() throws {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 1, count: 32)))
        #expect(evidence.isUnchanged(from: with { $0.hash = hash }))
        #expect(!evidence.isUnchanged(from: with { $0.inode = 8 }))
    }
}
