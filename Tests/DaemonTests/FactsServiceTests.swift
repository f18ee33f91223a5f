import Control
import FoundationEssentials
import Media
import MediaFacts
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

@testable import Daemon

/// Facts come into the library by a pass that can end at any time and goes on from there.
@Suite struct FactsServiceTests {
    private static let taken = FileFacts(
        codedSize: PixelSize(width: 40, height: 30), tags: [.dateTimeOriginal: "2019:01:02 03:04:05"])

    @Test func whatIsReadIsKeptWithTheDateThatFollows() throws {
        try withFactsBench { bench in
            let asset = try bench.add(1)
            bench.service { _ in .facts(Self.taken) }.readWhatWaits()
            let row = try #require(try bench.asset(asset))
            #expect(row.creationDate.rfc3339 == "2019-01-02T03:04:05.000000Z")
            #expect(row.creationDateSource == .captured)
            #expect(try bench.facts(asset)?.pixelWidth == 40)
            #expect(try bench.facts(asset)?.captureDate?.source == .dateTimeOriginal)
            #expect(try bench.counts() == FactsCounts(known: 1, waiting: 0, unreadable: 0))
        }
    }

    @Test func aDateThatACallerGaveStays() throws {
        try withFactsBench { bench in
            let given = Date(microseconds: 1_000_000)
            let asset = try bench.add(1, creationDate: given, .given)
            bench.service { _ in .facts(Self.taken) }.readWhatWaits()
            let row = try #require(try bench.asset(asset))
            #expect(row.creationDate == given && row.creationDateSource == .given)
            #expect(try bench.facts(asset)?.captureDate?.localTime?.day == "2019-01-02")
        }
    }

    @Test func theNewestIsReadFirst() throws {
        try withFactsBench { bench in
            for number in 1...3 { _ = try bench.add(UInt8(number)) }
            let order = Monitor<[UInt8]>([])
            bench.service { first in
                order.update { $0.append(first) }
                return .facts(Self.taken)
            }.readWhatWaits()
            #expect(order.update { $0 } == [3, 2, 1])
        }
    }

    /// RULES S3: not more than three times.
    @Test func aFileThatCannotBeReadCostsItsOwnFactsAndIsTriedThreeTimes() throws {
        try withFactsBench { bench in
            let (bad, good) = (try bench.add(1), try bench.add(2))
            let tries = Monitor(0)
            let service = bench.service { first in
                guard first == 1 else { return .facts(Self.taken) }
                tries.update { $0 += 1 }
                return .unreadable(reason: "it crashed the reader")
            }
            service.readWhatWaits()
            service.readWhatWaits()
            #expect(tries.update { $0 } == 3)
            #expect(try bench.facts(bad) == nil)
            #expect(try bench.facts(good) != nil)
            #expect(try bench.counts() == FactsCounts(known: 1, waiting: 0, unreadable: 1))
            let hash = try #require(try bench.asset(bad)?.resources.first?.versions.last?.content.hash)
            #expect(try bench.readers.readNow { try $0.reading(of: hash)?.unreadable } == "it crashed the reader")
        }
    }

    @Test func aPassThatIsEndedGoesOnWhereItWas() throws {
        try withFactsBench { bench in
            for number in 1...40 { _ = try bench.add(UInt8(number)) }
            let read = Monitor<[UInt8]>([])
            let ending = Monitor<FactsService?>(nil)
            let first = bench.service { number in
                if read.update({
                    $0.append(number); return $0.count
                }) == 20 {
                    ending.update { $0 }?.requestStop()
                }
                return .facts(Self.taken)
            }
            ending.update { $0 = first }
            first.readWhatWaits()
            #expect(try bench.counts() == FactsCounts(known: 20, waiting: 20, unreadable: 0))
            bench.service { number in
                read.update { $0.append(number) }
                return .facts(Self.taken)
            }.readWhatWaits()
            #expect(try bench.counts() == FactsCounts(known: 40, waiting: 0, unreadable: 0))
            #expect(read.update { $0 } == (1...40).reversed().map { UInt8($0) })
        }
    }

    @Test func withoutTheReaderEverythingWaitsAndTheReasonIsSaid() throws {
        try withFactsBench { bench in
            _ = try bench.add(1)
            let isThere = Monitor(false)
            let service = bench.service { _ in
                isThere.update { $0 }
                    ? .facts(Self.taken)
                    : .unavailable(WorkerObstacle(reason: "it is not installed", fix: "make install"))
            }
            service.readWhatWaits()
            #expect(service.problem?.what == "facts unavailable: it is not installed")
            #expect(service.problem?.fix == "make install")
            #expect(try bench.counts() == FactsCounts(known: 0, waiting: 1, unreadable: 0))
            isThere.update { $0 = true }
            service.readWhatWaits()
            #expect(service.problem == nil)
            #expect(try bench.counts() == FactsCounts(known: 1, waiting: 0, unreadable: 0))
        }
    }

    @Test func anOriginalThatIsMissingIsPassedOverAndReadOnceItIsBack() throws {
        try withFactsBench { bench in
            let (gone, there) = (try bench.add(1), try bench.add(2))
            let content = try #require(try bench.asset(gone)?.resources.first?.versions.last?.content)
            let path = Array(bench.scratch.path("library/").utf8) + content.path.bytes
            let bytes = try PosixProgram().read(path)
            try PosixProgram().unlink(path)
            let service = bench.service { _ in .facts(Self.taken) }
            service.readWhatWaits()
            #expect(try bench.facts(there) != nil)
            #expect(try bench.counts() == FactsCounts(known: 1, waiting: 1, unreadable: 0))
            try PosixProgram().write(path, bytes)
            service.readWhatWaits()
            #expect(try bench.facts(gone) != nil)
        }
    }

    @Test func anEditIsReadAgain() throws {
        try withFactsBench { bench in
            let asset = try bench.add(1)
            let service = bench.service { first in
                .facts(FileFacts(codedSize: PixelSize(width: Int(first), height: 1)))
            }
            service.readWhatWaits()
            #expect(try bench.facts(asset)?.pixelWidth == 1)
            try bench.edit(asset, 7)
            service.readWhatWaits()
            #expect(try bench.facts(asset)?.pixelWidth == 7)
            #expect(try bench.counts() == FactsCounts(known: 1, waiting: 0, unreadable: 0))
        }
    }

    /// Whatever came of the older one, facts or none.
    @Test func aNewerReaderReadsEverythingAgainAndOnce() throws {
        try withFactsBench { bench in
            let (plain, given) = (try bench.add(1), try bench.add(2))
            let old = bench.service(version: 1) { first in
                first == 2 ? .unreadable(reason: "too new for it") : .facts(FileFacts(tags: [.make: "Old"]))
            }
            old.readWhatWaits()
            #expect(try bench.counts() == FactsCounts(known: 1, waiting: 0, unreadable: 1))
            let reads = Monitor<[UInt8]>([])
            let new = bench.service(version: 2) { first in
                reads.update { $0.append(first) }
                return .facts(FileFacts(tags: [.make: "New"]))
            }
            new.readWhatWaits()
            new.readWhatWaits()
            #expect(reads.update { $0 } == [2, 1])
            #expect(try bench.facts(plain)?.camera?.make == "New")
            #expect(try bench.facts(given)?.camera?.make == "New")
            #expect(try bench.counts() == FactsCounts(known: 2, waiting: 0, unreadable: 0))
        }
    }

    @Test func aStopWhileANewerReaderReadsLosesNoneOfThem() throws {
        try withFactsBench { bench in
            for number in 1...40 { _ = try bench.add(UInt8(number)) }
            bench.service(version: 1) { _ in .facts(Self.taken) }.readWhatWaits()
            let (ending, reads) = (Monitor<FactsService?>(nil), Monitor<[UInt8]>([]))
            let first = bench.service(version: 2) { number in
                if reads.update({
                    $0.append(number); return $0.count
                }) == 10 {
                    ending.update { $0 }?.requestStop()
                }
                return .facts(Self.taken)
            }
            ending.update { $0 = first }
            first.readWhatWaits()
            #expect(try bench.counts().waiting == 30)
            bench.service(version: 2) { number in
                reads.update { $0.append(number) }
                return .facts(Self.taken)
            }.readWhatWaits()
            #expect(reads.update { $0 } == (1...40).reversed().map { UInt8($0) })
            #expect(try bench.counts() == FactsCounts(known: 40, waiting: 0, unreadable: 0))
        }
    }

    /// What a person repaired is not lost with the next version of albumd.
    @Test func aProvenZoneOutlivesAnotherReading() throws {
        try withFactsBench { bench in
            let asset = try bench.add(1)
            bench.service(version: 1) { _ in .facts(Self.taken) }.readWhatWaits()
            let change = try #require(try bench.readers.readNow { try $0.factsToAmend(of: asset) })
            let time = try #require(change.facts.captureDate?.localTime)
            let repaired = change.withZone(ZoneProof(offset: 3600, kind: .gps, localTime: time))
            try bench.library.onThread { library in
                _ = try library.performChanges(origin: "test") { try $0.perform(.setFacts(repaired)) }
            }
            bench.service(version: 2) { _ in .facts(Self.taken) }.readWhatWaits()
            #expect(try bench.asset(asset)?.creationDate.rfc3339 == "2019-01-02T02:04:05.000000Z")
            #expect(try bench.facts(asset)?.zoneProof?.offset == 3600)
        }
    }
}
