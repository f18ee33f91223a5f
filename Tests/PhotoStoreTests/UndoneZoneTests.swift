import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A zone that was given can be taken back, and given again: the one thing of facts that a person decides.
@Suite struct UndoneZoneTests {
    @Test func theZoneAndTheDateGoBackAndForth() throws {
        try withZone { bench, asset, token in
            let date = try date(of: asset, in: bench)
            #expect(date == "2018-12-31T22:00:00.000000Z")
            let undone = try bench.undo(token)
            #expect(undone.plan.remarks == [])
            #expect(try self.date(of: asset, in: bench) == "2019-01-01T00:00:00.000000Z")
            #expect(try facts(of: asset, in: bench)?.zoneProof == nil)
            _ = try bench.undo(try #require(undone.token))
            #expect(try self.date(of: asset, in: bench) == date)
            #expect(try facts(of: asset, in: bench)?.zoneProof?.offset == 7200)
        }
    }

    /// Read again since by a newer reader: what it knows more stays.
    @Test func whatWasReadSinceStays() throws {
        try withZone { bench, asset, token in
            guard case .setFacts(var change) = try Sample.facts(of: 50, "z", width: 9) else { return }
            let proof = try facts(of: asset, in: bench)?.zoneProof
            change = change.withZone(proof)
            try bench.change([.setFacts(change)])
            #expect(try bench.undo(token).plan.remarks == [])
            let facts = try facts(of: asset, in: bench)
            #expect(facts?.zoneProof == nil && facts?.pixelWidth == 9)
        }
    }

    @Test func anotherZoneSinceIsLeftAndSaid() throws {
        try withZone { bench, asset, token in
            try give(3600, to: asset, bench)
            let undone = try bench.undo(token)
            #expect(undone.plan.remarks == ["asset \(asset) keeps its zone: its date was decided again since"])
            #expect(try facts(of: asset, in: bench)?.zoneProof?.offset == 3600)
        }
    }

    private func withZone(_ body: (UndoBench, LocalIdentifier, Int64) throws -> Void) throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            let asset = Sample.identifier(50)
            try bench.change([Sample.asset(50, try Sample.content("z")), try Sample.facts(of: 50, "z")])
            try body(bench, asset, try #require(try give(7200, to: asset, bench)))
        }
    }

    @discardableResult
    private func give(_ offset: Int, to asset: LocalIdentifier, _ bench: UndoBench) throws -> Int64? {
        let change = try bench.library.onThread { library in try library.read { try $0.factsToAmend(of: asset) } }
        let known = try #require(change)
        let time = try #require(known.facts.captureDate?.localTime)
        let proof = ZoneProof(offset: offset, kind: .gps, localTime: time)
        return try bench.change([.setFacts(known.withZone(proof))])
    }

    private func facts(of asset: LocalIdentifier, in bench: UndoBench) throws -> AssetFacts? {
        try bench.library.onThread { library in try library.read { try $0.facts(of: asset) } }
    }

    private func date(of asset: LocalIdentifier, in bench: UndoBench) throws -> String? {
        try bench.library.onThread { library in try library.read { try $0.asset(asset)?.creationDate.rfc3339 } }
    }
}
