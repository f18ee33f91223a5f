import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FileLeaseTests {
    @Test(arguments: Disk.allCases) func aFileAtRestIsLeased(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.write(bench.at("a"), "x")
            let file = try bench.files.openForReading(bytes("a"), beneath: bench.root)
            #expect(!bench.files.holdsLease(file))
            #expect(try bench.files.takeLease(file) == .granted)
            #expect(bench.files.holdsLease(file))
            bench.files.dropLease(file)
            #expect(!bench.files.holdsLease(file))
        }
    }

    @Test(arguments: Disk.allCases) func noLeaseWhileAWriterHasTheFile(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.write(bench.at("a"), "x")
            let writer = try bench.program.openWriter(bench.at("a"))
            let file = try bench.files.openForReading(bytes("a"), beneath: bench.root)
            #expect(try bench.files.takeLease(file) == .writerPresent)
            try bench.program.closeWriter(writer)
            #expect(try bench.files.takeLease(file) == .granted)
        }
    }

    @Test(arguments: Disk.allCases) func aWriterThatComesBreaksTheLease(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.write(bench.at("a"), "x")
            let file = try bench.files.openForReading(bytes("a"), beneath: bench.root)
            #expect(try bench.files.takeLease(file) == .granted)
            // EAGAIN on a real machine, where the writer waits for us.
            let writer = try? bench.program.openWriter(bench.at("a"))
            #expect(!bench.files.holdsLease(file))
            bench.files.dropLease(file)
            if let writer { try bench.program.closeWriter(writer) }
        }
    }

    @Test(arguments: Disk.allCases) func aReaderBreaksNoLease(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.write(bench.at("a"), "x")
            let file = try bench.files.openForReading(bytes("a"), beneath: bench.root)
            _ = try bench.files.takeLease(file)
            _ = try bench.program.read(bench.at("a"))
            #expect(bench.files.holdsLease(file))
        }
    }

    @Test(arguments: Disk.allCases) func whatIsNoFileHasNoLease(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.makeFIFO(bench.at("pipe"))
            let file = try bench.files.openForReading(bytes("pipe"), beneath: bench.root)
            #expect(try bench.files.takeLease(file) == .unavailable)
        }
    }

    @Test(arguments: Disk.allCases) func onlyOneHoldsTheLock(disk: Disk) throws {
        try disk.run { bench in
            try bench.create(".lock")
            let first = try bench.files.openForUpdating(bytes(".lock"), in: bench.root)
            let second = try bench.files.openForUpdating(bytes(".lock"), in: bench.root)
            #expect(try bench.files.lock(first))
            #expect(try bench.files.lock(first))
            #expect(try !bench.files.lock(second))
            try first.close()
            #expect(try bench.files.lock(second))
        }
    }
}
