import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

/// 1 MiB that is there for the moment when there is nothing left (RULES R11).
@Suite struct BallastTests {
    private func hasBallast(_ home: SimulatedLibrary) throws -> Bool {
        let root = try home.files.openDirectory(home.path)
        return try home.files.list(root).contains { $0.name == Array(".ballast".utf8) }
    }

    @Test func aLibraryWithRoomHoldsIt() throws {
        try withSimulatedLibrary { home in
            _ = try home.open()
            #expect(try home.program.read(Array("/library/.ballast".utf8)).count == 1 << 20)
            home.close()
            let writes = home.files.callCount(.write)
            _ = try home.open()
            #expect(home.files.callCount(.write) - writes == 1, "only the lock is written anew")
        }
    }

    @Test func aLibraryWithoutRoomDoesWithoutUntilThereIsRoom() throws {
        try withSimulatedLibrary { home in
            home.files.configure { $0.capacity = 1 << 20 }
            let library = try home.open()
            #expect(try !hasBallast(home))
            home.files.configure { $0.capacity = 1 << 40 }
            try library.inside { library throws in _ = try library.perform(Sample.album(1)) }
            #expect(try hasBallast(home))
        }
    }

    @Test func aFullDiskTakesItAndTheChangeIsMade() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            let disk = home.disk
            disk.limit(bytes: 0)
            let tries = Mutex(0)
            try library.inside { library throws in
                let committed = try library.performChanges(origin: "test") { change in
                    // What the ballast leaves is room for the log.
                    if tries.withLock({
                        $0 += 1; return $0
                    }) == 2 {
                        disk.limit(bytes: nil)
                    }
                    try change.perform(Sample.album(1))
                }
                #expect(committed.token == 1)
                #expect(try library.read { try $0.album(Sample.identifier(1)) } != nil)
            }
            #expect(tries.withLock { $0 } == 2)
        }
    }

    @Test func aFullDiskWithoutBallastRefusesTheChangeOnce() throws {
        try withSimulatedLibrary { home in
            home.files.configure { $0.capacity = 1 << 20 }
            let library = try home.open()
            home.disk.limit(bytes: 0)
            let tries = Mutex(0)
            try library.inside { library throws in
                #expect(throws: DatabaseError.self) {
                    try library.performChanges(origin: "test") { change in
                        tries.withLock { $0 += 1 }
                        try change.perform(Sample.album(1))
                    }
                }
            }
            #expect(tries.withLock { $0 } == 1)
            home.disk.limit(bytes: nil)
            #expect(try library.onThread { try $0.perform(Sample.album(1)) } == 1)
        }
    }
}
