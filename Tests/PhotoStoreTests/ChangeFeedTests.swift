import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// The feed is the only notification, and it speaks of what is committed.
@Suite struct ChangeFeedTests {
    @Test func aListenerIsWokenAfterTheCommitAndNeverBefore() async throws {
        try await withSimulatedLibrary { home in
            let library = try home.open()
            let feed = library.feed
            let seenBefore = Mutex<[Int64]>([])
            home.simulated.onReach { milestone in
                guard milestone == .beforeCatalogueCommit || milestone == .afterCatalogueCommit else { return }
                seenBefore.withLock { $0.append(feed.newest) }
            }
            var tokens = feed.tokens().makeAsyncIterator()
            #expect(await tokens.next() == 0)
            try library.inside { library throws in _ = try library.perform(Sample.album(1)) }
            #expect(seenBefore.withLock { $0 } == [0, 0])
            #expect(await tokens.next() == 1)
        }
    }

    @Test func aNewListenerLearnsTheNewestTokenAtOnceAlsoAfterAStart() async throws {
        try await withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.perform(Sample.album(1)) }
            home.close()
            let reopened = try home.open()
            var tokens = reopened.feed.tokens().makeAsyncIterator()
            #expect(await tokens.next() == 1)
        }
    }

    @Test func aSlowListenerMissesAllButTheLast() async throws {
        try await withSimulatedLibrary { home in
            let library = try home.open()
            var tokens = library.feed.tokens().makeAsyncIterator()
            try library.inside { library throws in
                for number in 1...5 as ClosedRange<UInt8> {
                    try library.perform(Sample.album(number))
                }
            }
            #expect(await tokens.next() == 5)
        }
    }

    @Test func whatIsUndoneWakesNobody() async throws {
        struct Refusal: Error {}
        try await withSimulatedLibrary { home in
            let library = try home.open()
            var tokens = library.feed.tokens().makeAsyncIterator()
            #expect(await tokens.next() == 0)
            try library.inside { library throws in
                #expect(throws: Refusal.self) {
                    try library.performChanges(origin: "test") { change in
                        try change.perform(Sample.album(1))
                        throw Refusal()
                    }
                }
            }
            try library.inside { library throws in _ = try library.perform(Sample.album(2)) }
            #expect(await tokens.next() == 1)
        }
    }
}
