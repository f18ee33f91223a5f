import PhotoModel
import Platform
import TestSupport
import Testing

@testable import PhotoStore

/// What the background reads, decided from times and sizes alone.
@Suite struct VerifyPlanTests {
    private static let day = Duration.seconds(86_400)

    private func content(_ byteCount: Int64) throws -> Content {
        var content = try Sample.content("a")
        content.byteCount = byteCount
        return content
    }

    @Test func aDayReadsItsShareAndNoMore() throws {
        var plan = VerifyPlan(cursor: nil, now: .zero)
        plan.advance(to: Self.day, totalBytes: 1000)
        let one = try content(10)
        var read = 0
        while plan.isDue(one, totalBytes: 1000) {
            plan.didRead(one)
            read += 1
        }
        #expect(read == 3)
        #expect(plan.cursor == one.hash)
    }

    @Test func aMonthReadsEverythingHoweverItIsCut() throws {
        var plan = VerifyPlan(cursor: nil, now: .zero)
        let one = try content(7)
        var read: Int64 = 0
        for tick in 1...(34 * 144) {
            plan.advance(to: VerifyPlan.interval * tick, totalBytes: 1000)
            while plan.isDue(one, totalBytes: 1000) {
                plan.didRead(one)
                read += 7
            }
        }
        #expect((1000...1030).contains(read))
    }

    @Test func afterALongSleepADaysShareIsDue() throws {
        var plan = VerifyPlan(cursor: nil, now: .zero)
        plan.advance(to: Self.day * 365, totalBytes: 1000)
        #expect(plan.budget == 30)
    }

    /// A video that is larger than a day's share is read when that has come together, and paid for afterwards.
    @Test func aVeryLargeOriginalHasItsTurn() throws {
        var plan = VerifyPlan(cursor: nil, now: .zero)
        let large = try content(900)
        plan.advance(to: Self.day / 2, totalBytes: 1000)
        #expect(!plan.isDue(large, totalBytes: 1000))
        plan.advance(to: Self.day, totalBytes: 1000)
        #expect(plan.isDue(large, totalBytes: 1000))
        plan.didRead(large)
        plan.advance(to: Self.day * 20, totalBytes: 1000)
        #expect(!plan.isDue(try content(1), totalBytes: 1000))
    }

    @Test func anEmptyLibraryHasNothingDue() throws {
        var plan = VerifyPlan(cursor: nil, now: .zero)
        plan.advance(to: Self.day, totalBytes: 0)
        #expect(!plan.isDue(try content(0), totalBytes: 0))
    }

    @Test func aPacerKeepsTheRateWhateverThePieces() {
        var pacer = Pacer(bytesPerSecond: 100, now: .zero)
        #expect(pacer.wait(for: 50, now: .zero) == .zero)
        #expect(pacer.wait(for: 100, now: .zero) == .milliseconds(500))
        #expect(pacer.wait(for: 1, now: .milliseconds(500)) == .seconds(1))
        #expect(pacer.wait(for: 1, now: .seconds(100)) == .zero)
        var unpaced = Pacer(bytesPerSecond: nil, now: .zero)
        #expect(unpaced.wait(for: .max, now: .zero) == .zero)
    }

    @Test func whatWasReadIsRememberedOverARestartAndATornNoteIsNone() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            var memory = AuditMemory.read(from: library.directory, files: home.files)
            #expect(memory == AuditMemory())
            memory.background = try Sample.content("a").hash
            memory.deep = try Sample.content("b").hash
            try memory.write(to: library.directory, files: home.files)
            #expect(AuditMemory.read(from: library.directory, files: home.files) == memory)
            memory.deep = nil
            try memory.write(to: library.directory, files: home.files)
            #expect(AuditMemory.read(from: library.directory, files: home.files) == memory)
            try home.program.write(Array("/library/verify.json".utf8), Array("{\"deep".utf8))
            #expect(AuditMemory.read(from: library.directory, files: home.files) == AuditMemory())
        }
    }
}
