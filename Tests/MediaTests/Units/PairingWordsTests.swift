import PhotoModel
import Testing

@testable import Media

/// What `why` says is one sentence without its subject, and no two reasons say the same.
@Suite struct PairingWordsTests {
    @Test func everyReasonHasItsOwnWords() {
        let pairings: [Pairing] =
            [.contentIdentifier("A"), .sameFile, .sameShutter, .sameMoment, .edit, .settled]
            + SidecarKind.allCases.map(Pairing.sidecar)
        let awaited: [AwaitedCompanion] = [
            .movie(contentIdentifier: "A"), .picture(contentIdentifier: "A"), .described(.xmp),
        ]
        let words = pairings.map(\.words) + NearMiss.Reason.allCases.map(\.words) + awaited.map(\.words)
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") && $0.first?.isLowercase == true })
    }
}
