import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

/// Where assets are, in lists and one by one.
@Suite struct ResidencyTests {
    private static func identifier(_ number: Int) -> LocalIdentifier {
        LocalIdentifier(UUID(uuid: (UInt8(number >> 8), UInt8(number & 255), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    }

    /// Answers with a row for each identifier that is asked for.
    private static func tiers(_ asked: FakeDaemon.Asked) -> Response {
        guard let request = try? JSON.decode(TierRequest.self, from: asked.request.body) else {
            return Problem.badRequest("no request").response
        }
        let rows = request.localIdentifiers.map { identifier in
            TierRow(
                Asset(
                    localIdentifier: identifier, mediaType: .audio, creationDate: Sample.date,
                    creationDateSource: .given, addedDate: Sample.date, modificationDate: Sample.date, state: .live,
                    resources: []), isPinned: true, until: nil, doubted: [])
        }
        return .json(PageOf(rows: rows, next: nil))
    }

    @Test func eachAssetIsToldOnceInTheOrderOfTheArguments() async throws {
        let (one, two) = ("\(Self.identifier(1))", "\(Self.identifier(2))")
        let (ran, _) = try await ranAndAsked(["asset", "tier", two, one, two]) { Self.tiers($0) }
        #expect(ran.code == 0)
        #expect(Array(ran.lines.dropFirst()) == [two, one].map { "\($0)  audio  local        (pinned)" })
    }

    @Test func theVersionsOfAnEditAreToldApart() async throws {
        let hash = try #require(ContentHash(hexadecimal: String(repeating: "07", count: 32)[...]))
        let content = Content(hash: hash, byteCount: 1, contentType: "image/jpeg", fileExtension: "jpg")
        let versions = [Residency.inCloud, .both, .local].map {
            Version(content: content, addedDate: Sample.date, residency: $0, condition: .sound, transfer: nil)
        }
        let asset = Asset(
            localIdentifier: Self.identifier(1), mediaType: .image, creationDate: Sample.date,
            creationDateSource: .given, addedDate: Sample.date, modificationDate: Sample.date, state: .live,
            resources: [Resource(type: .photo, originalFilename: PathBytes("a.jpg"), versions: versions)])
        let (ran, _) = try await ranAndAsked(["asset", "tier", "\(Self.identifier(1))"]) { _ in
            .json(PageOf(rows: [TierRow(asset, isPinned: false, until: nil, doubted: [])], next: nil))
        }
        #expect(ran.lines.last?.hasSuffix("a.jpg  (original inCloud, 2 both, current local)") == true, "\(ran.out)")
    }

    @Test func manyAreAskedForInSlices() async throws {
        let identifiers = (1...1001).map { "\(Self.identifier($0))" }
        let (ran, asked) = try await ranAndAsked(["asset", "tier", "--json"] + identifiers) { Self.tiers($0) }
        #expect(try ran.json([TierRow].self).map { "\($0.localIdentifier)" } == identifiers)
        #expect(asked.count == 2)
    }

    @Test func anAssetThatIsNoneIsNotFound() async throws {
        let (ran, _) = try await ranAndAsked(["asset", "tier", "\(Sample.identifier)"]) { _ in
            Problem.notFound("no asset", fix: "f").response
        }
        #expect(ran.code == 4 && ran.out.isEmpty)
    }

    private static var away: AssetRow {
        var row = Sample.asset(residency: .inCloud)
        row.isPinned = true
        row.pinnedUntil = Sample.date
        row.resources[0].versions[0].transfer = .downloading
        return row
    }

    @Test func aListSaysWhatIsNotSimplyHere() async throws {
        let (ran, asked) = try await ranAndAsked(["asset", "list", "--residency", "inCloud"]) { _ in
            var lost = Sample.asset(residency: .inCloud)
            lost.resources[0].versions[0].condition = .missing
            return .json(PageOf(rows: [Self.away, lost, Sample.asset(residency: .both), Sample.asset()], next: nil))
        }
        #expect(asked.first?.request.query["residency"] == "inCloud")
        let ends = [
            "a.jpg  (inCloud, downloading, pinned)", "a.jpg  (inCloud, lost)", "a.jpg  (both)", "3 bytes    a.jpg",
        ]
        for (line, end) in zip(ran.lines.dropFirst(), ends) { #expect(line.hasSuffix(end), "\(line)") }
        let (both, none) = try await ranAndAsked(["asset", "list", "--residency", "both", "--album", "A"]) { _ in
            .json([""])
        }
        #expect(both.code == 2 && none.isEmpty)
        #expect(try await ranAndAsked(["asset", "list", "--residency", "away"]) { _ in .json([""]) }.0.code == 2)
    }

    @Test func anAssetSaysWhereEachVersionIs() async throws {
        let (ran, _) = try await ranAndAsked(["asset", "get", "\(Sample.identifier)"]) { _ in .json(Self.away) }
        #expect(ran.lines.contains { $0.hasPrefix("Pinned    to the disk, until 2026-1") })
        #expect(ran.lines.contains { $0.hasSuffix("image/jpeg, 3 bytes, inCloud, sound, downloading") })
    }
}
