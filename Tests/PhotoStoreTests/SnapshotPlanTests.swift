import FoundationEssentials
import PhotoStore
import Testing

/// Which daily snapshots are due and which go.
@Suite struct SnapshotPlanTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func name(hoursAgo hours: Double) -> [UInt8] {
        SnapshotPlan.name(at: now.addingTimeInterval(-hours * 3600))
    }

    @Test func aNameTellsItsDate() {
        #expect(String(decoding: SnapshotPlan.name(at: now), as: UTF8.self) == "catalogue-20270115T080000.sqlite")
        #expect(SnapshotPlan.date(of: SnapshotPlan.name(at: now)) == now)
    }

    @Test(arguments: [
        "catalogue-before-migration-20261130T020109250000.sqlite", "catalogue-20270115T080000.sqlite.new",
        "catalogue-20279915T080000.sqlite", "notes",
    ])
    func anotherNameIsNoSnapshotOfADay(name: String) { #expect(SnapshotPlan.date(of: Array(name.utf8)) == nil) }

    @Test(arguments: [([], true), ([1], false), ([23.9], false), ([24], true), ([200, 30], true), ([-1], true)])
    func oneADayIsDue(hours: [Double], isDue: Bool) {
        #expect(SnapshotPlan(names: hours.map { name(hoursAgo: $0) }, now: now).isDue == isDue)
    }

    @Test func sevenAreKeptAndTheOldestGo() {
        let names = (0..<10).map { name(hoursAgo: Double($0) * 24) }
        let others = [Array("catalogue-before-migration-20200101T000000000000.sqlite".utf8)]
        let plan = SnapshotPlan(names: Array((others + names).reversed()), now: now)
        #expect(plan.superfluous == Array(names[7...].reversed()))
    }

    @Test func whatAWrongClockDatedIntoTheFutureGoesFirst() {
        let future = name(hoursAgo: -90_000)
        let names = (0..<7).map { name(hoursAgo: Double($0) * 24) }
        #expect(SnapshotPlan(names: names + [future], now: now).superfluous == [future])
    }
}
