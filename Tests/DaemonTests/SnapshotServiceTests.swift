import Control
import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

@testable import Daemon

/// The service that keeps the daily snapshots, through days of pretend time (RULES R49).
@Suite struct SnapshotServiceTests {
    /// `start` is called before the service runs, `act` before each hour passes; what it tells lies in `snapshots/`
    /// at the end of each hour.
    ///
    /// On a thread of its own, for it waits.
    private func drive(
        _ test: String = #function, hours: Int,
        start: @escaping @Sendable (PhotoLibrary, SimulatedMachine) throws -> Void = { _, _ in },
        act: @escaping @Sendable (_ hour: Int, _ machine: SimulatedMachine) -> Void = { _, _ in }
    ) async throws -> (names: [[String]], service: SnapshotService) {
        let pool = BlockingPool(name: "snapshot-test", threadCount: 1)
        defer { pool.shutdown() }
        return try await pool.run { try SnapshotServiceTests.driveNow(test, hours: hours, start: start, act: act) }
    }

    private static func driveNow(
        _ test: String, hours: Int, start: (PhotoLibrary, SimulatedMachine) throws -> Void,
        act: @escaping @Sendable (Int, SimulatedMachine) -> Void
    ) throws -> (names: [[String]], service: SnapshotService) {
        let simulated = SimulatedMachine()
        simulated.files.configure { $0.owner = geteuid() }
        let disk = SimulatedVFS(name: test)
        disk.follow(simulated.files, library: "/library")
        defer { disk.remove() }
        let library = try PhotoLibrary.open(
            Array("/library".utf8), machine: simulated.machine, executor: .inline(), vfs: disk.name)
        try start(library, simulated)
        let seen = Monitor<[[String]]>([])
        let service = SnapshotService(machine: simulated.machine, fatal: FatalFailure()) { pause in
            let hour = seen.update { $0.count }
            guard hour <= hours else { return }
            let found = SnapshotServiceTests.names(simulated)
            act(hour, simulated)
            simulated.advance(by: pause)
            seen.update { $0.append(found) }
        }
        try service.start(library: library, vfs: disk.name)
        let names = seen.wait { $0.count > hours ? $0 : nil }
        service.stop()
        library.onThread { $0.close() }
        return (names, service)
    }

    private static func names(_ simulated: SimulatedMachine) -> [String] {
        let files = simulated.files
        let listed = try? files.list(files.openDirectory(Array("/library/snapshots".utf8)))
        return (listed ?? []).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
    }

    private static func fill(_ files: SimulatedFiles) {
        let free = (try? files.fileSystem(of: files.openDirectory(Array("/library".utf8))))?.freeBytes ?? 0
        files.configure { $0.capacity -= free }
    }

    /// In the order in which they came.
    private func made(_ names: [[String]]) -> [Date] {
        var made: [String] = []
        for hour in names { made += hour.filter { !made.contains($0) } }
        return made.compactMap { SnapshotPlan.date(of: Array($0.utf8)) }
    }

    @Test func thereIsOneADay() async throws {
        let (names, service) = try await drive(hours: 23)
        #expect(names[0].isEmpty && names[1].count == 1 && names[23] == names[1])
        #expect(service.state.newest == made(names).first && service.state.failure == nil)
    }

    @Test func ofAWeekAndThreeDaysTheLastSevenAreKept() async throws {
        let names = try await drive(hours: 10 * 24).names
        let made = made(names)
        #expect(made.count == 10)
        #expect(zip(made, made.dropFirst()).allSatisfy { $1.timeIntervalSince($0) == 86_400 })
        #expect(names.allSatisfy { $0.count <= 7 })
        #expect(self.made([try #require(names.last)]) == made.suffix(7))
    }

    /// RULES R10: after two failed syncs nothing new is trusted to the disk, and nothing old is given up for it.
    @Test func aDiskThatFailedToSyncGetsNone() async throws {
        let (names, service) = try await drive(hours: 48, start: Self.failTwoSyncs)
        #expect(names.allSatisfy(\.isEmpty) && service.state.newest == nil)
    }

    @Test func aFullDiskGetsNoneUntilThereIsRoom() async throws {
        let names = try await drive(
            hours: 100,
            act: { hour, machine in
                if hour == 30 { SnapshotServiceTests.fill(machine.files) }
                if hour == 80 { machine.files.configure { $0.capacity = 1 << 40 } }
            }
        ).names
        #expect(names[30].count == 2)
        #expect(names[80].count == 2 && names[82].count == 3)
    }

    @Test func whatIsToBeDoneFollowsTheError() async throws {
        let readOnly = try await drive(
            hours: 40,
            act: { hour, machine in if hour == 20 { machine.files.configure { $0.isReadOnly = true } } }
        ).service.state.failure
        #expect(readOnly?.fix.contains("read-write") == true, "\(String(describing: readOnly))")
    }

    /// A clock that is set a year ahead, and back again after a day.
    @Test func aClockThatJumpsAheadAndBackCostsNoSnapshot() async throws {
        let year: Int64 = 365 * 86_400 * 1_000_000_000
        let names = try await drive(
            hours: 12 * 24,
            act: { hour, machine in
                let now = Int64(machine.machine.now().timeIntervalSince1970) * 1_000_000_000
                if hour == 100 { machine.setWallClock(now + year) }
                if hour == 130 { machine.setWallClock(now - year) }
            }
        ).names
        let last = try #require(names.last)
        #expect(last.count == 7)
        let kept = made([last]).sorted()
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $1.timeIntervalSince($0) < 2.2 * 86_400 })
        for (before, after) in zip(names, names.dropFirst()) where !before.isEmpty {
            #expect(before.count - after.count <= 1 && !after.isEmpty)
        }
    }

    @Sendable private static func failTwoSyncs(_ library: PhotoLibrary, _ simulated: SimulatedMachine) throws {
        for number in UInt8(0)..<2 {
            let staged = try library.directory.originals.stage()
            try writeBytes(staged.file, [number], files: simulated.files, at: 0)
            var hasher = ContentHasher()
            [number].withUnsafeBytes { hasher.update($0) }
            let content = Content(
                hash: try #require(ContentHash(bytes: hasher.finish())), byteCount: 1, contentType: "image/jpeg",
                fileExtension: "jpg")
            simulated.files.failNext(.syncOfFile, EIO)
            #expect(throws: (any Error).self) {
                try library.onThread {
                    try $0.publish([StagedContent(content: content, staged: staged)], origin: "test") { _ in }
                }
            }
        }
        #expect(library.isReadOnly)
    }
}
