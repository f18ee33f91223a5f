import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

/// What is said of the cloud, and what is told to it.
@Suite struct CloudTellingTests {
    private static let identifier = "\(Sample.identifier)"

    private static var report: CloudReport {
        var report = CloudReport(engine: "simulated")
        (report.directory, report.isOnLibraryDisk, report.mirroredToken) = ("/library-cloud", true, 9)
        report.residencies = [
            "inCloud": CountAndBytes(count: 2, byteCount: 3000), "local": CountAndBytes(count: 1, byteCount: 7),
        ]
        report.simulation = Simulation()
        return report
    }

    @Test func theStatusSaysWhatCloudItIsAndHowMuchIsWhere() async throws {
        let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in .json(Self.report) }
        #expect(ran.code == 0)
        #expect(
            ran.lines == [
                "cloud: simulated",
                "Where     /library-cloud, on the library's own disk: "
                    + "evicting frees nothing, and free_disk_floor is not followed",
                "Originals local 1 (7 bytes), inCloud 2 (3.0 kB)", "History   in the cloud up to change 9",
                "Simulator it does as it should",
            ])
    }

    @Test func whatTheCloudHasIsNotKnownBeforeItAnswered() async throws {
        let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
            var report = Self.report
            report.mirroredToken = nil
            return .json(report)
        }
        #expect(ran.lines.contains("History   not known: the cloud has not been asked yet"))
    }

    @Test func whatWasSpoiltByCommandIsSaid() async throws {
        for (lost, corrupted, absent, words) in [
            (2, 0, 0, "2 objects disappeared."), (0, 1, 3, "1 object got another bit, 3 objects were not there."),
            (0, 0, 0, "The assets have no objects."),
        ] {
            let (ran, _) = try await ranAndAsked(["cloud", "simulate", "--lose", Self.identifier]) { _ in
                var report = Self.report
                report.spoiltObjects = SpoiltObjects(lostCount: lost, corruptedCount: corrupted, absentCount: absent)
                return .json(report)
            }
            #expect(ran.code == 0 && ran.lines.last == words, "\(ran.out)")
        }
    }

    @Test func aDoubtSaysWhenItIsAskedAgain() async throws {
        let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
            var report = Self.report
            (report.doubtCount, report.doubtDate) = (1, Sample.date)
            return .json(report)
        }
        #expect(ran.code == 3 && ran.out.contains("1 copy denied once; asked for again at 2026-"), "\(ran.out)")
    }

    /// By its photo, which a person knows.
    @Test func whatIsStuckIsNamedAndNotWell() async throws {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 7, count: 32)))
        for isKnown in [true, false] {
            let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
                var report = Self.report
                var failure = CloudFailure(sha256: hash, detail: "there is no room")
                if isKnown { (failure.localIdentifier, failure.originalFilename) = (Sample.identifier, "a.jpg") }
                report.failures = [failure]
                return .json(report)
            }
            let name = isKnown ? "\(Self.identifier)  a.jpg" : hash.hexadecimal
            #expect(ran.code == 3 && ran.lines.contains("Stuck     \(name): there is no room"), "\(ran.out)")
        }
    }

    @Test func whatTheCloudDoesNotHaveOfTheHistoryIsCounted() async throws {
        let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
            var report = Self.report
            report.newestToken = 12
            return .json(report)
        }
        #expect(ran.code == 0 && ran.lines.contains("History   in the cloud up to change 9 of 12"), "\(ran.out)")
    }

    /// It has answered, if not as hoped.
    @Test func aCloudThatIsAnothersHasAnswered() async throws {
        for isOthers in [true, false] {
            let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
                var report = Self.report
                (report.mirroredToken, report.failure, report.isStoreOthers) = (nil, "of the library x", isOthers)
                return .json(report)
            }
            let history = isOthers ? "not kept: what answers is not this library's cloud" : "not known: see the failure"
            #expect(ran.code == 3 && ran.lines.contains("History   \(history)"), "\(ran.out)")
        }
    }

    /// Wherever an album is shown, so is where it wants its originals.
    @Test func theRuleOfAnAlbumIsTold() async throws {
        var album = Sample.album("Home")
        for (tier, words) in [(AlbumTier.keepLocal, "keeps its"), (.inCloud, "sends its"), (nil, "has no rule")] {
            album.tier = tier
            let answered = album
            let (rule, asked) = try await ranAndAsked(["cloud", "rule", Self.identifier]) { _ in .json(answered) }
            #expect(rule.code == 0 && rule.out.contains(words) && rule.out.contains("Home"), "\(rule.out)")
            #expect(asked.map(\.operation) == [.getAlbum])
            let (got, _) = try await ranAndAsked(["album", "get", Self.identifier]) { _ in .json(answered) }
            #expect(got.out.contains("Home  (") == (tier != nil), "\(got.out)")
            let (status, _) = try await ranAndAsked(["cloud", "status"]) { _ in
                var report = Self.report
                report.rules = tier == nil ? [] : [answered]
                return .json(report)
            }
            #expect(status.out.contains("Rule      Home \(words)") == (tier != nil), "\(status.out)")
        }
    }

    @Test(arguments: [(1, String?.none, "Lost      1 original"), (0, "offline", "Failure   offline")])
    func whatIsLostOrInTheWayIsDegraded(lost: Int, failure: String?, line: String) async throws {
        let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
            var report = Self.report
            (report.lostCount, report.failure) = (lost, failure)
            return .json(report)
        }
        #expect(ran.code == 3 && ran.out.contains(line))
    }

    @Test func theStatusOfAllNamesTheCloudInShort() async throws {
        let (here, _) = try await ranAndAsked(["status"]) { _ in .json(Sample.status()) }
        #expect(here.lines.contains("cloud: simulated"))
        let (away, _) = try await ranAndAsked(["status"]) { _ in
            var status = Sample.status()
            status.cloud = CloudStatus(Self.report)
            return .json(status)
        }
        #expect(away.lines.contains("cloud: simulated; local 1 (7 bytes), inCloud 2 (3.0 kB)"))
    }

    @Test func aPlanSaysWhatWouldMoveWhyAndHowMuch() async throws {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 7, count: 32)))
        var move = CloudMoveRow(.upload, reason: "keepLocal", sha256: hash, byteCount: 2000)
        (move.localIdentifier, move.originalFilename) = (Sample.identifier, "a.jpg")
        let none = CountAndBytes(count: 0, byteCount: 0)
        let report = CloudPlanReport(
            rows: [move], uploads: CountAndBytes(count: 1, byteCount: 2000), evictions: none, fetches: none)
        let (ran, _) = try await ranAndAsked(["cloud", "plan"]) { _ in .json(report) }
        #expect(ran.lines[1] == "upload  keepLocal  2.0 kB  \(Self.identifier)  a.jpg")
        #expect(ran.lines.last == "In all: upload 1 (2.0 kB)")
        var later = CloudMoveRow(.evict, reason: "keepLocal", sha256: hash, byteCount: 2000)
        (later.originalFilename, later.version, later.isAfterUpload) = ("a.jpg", "original", true)
        let some = CloudPlanReport(
            rows: [later], uploads: report.uploads, evictions: CountAndBytes(count: 3, byteCount: 6000), fetches: none)
        let (limited, asked) = try await ranAndAsked(["cloud", "plan", "--limit", "1"]) { _ in .json(some) }
        #expect(asked.first?.request.query == ["limit": "1"])
        #expect(limited.lines[1].hasSuffix("a.jpg  (original, after upload)"))
        #expect(limited.lines.last == "In all: upload 1 (2.0 kB), evict 3 (6.0 kB); 3 moves are not listed")
        let empty = CloudPlanReport(rows: [], uploads: none, evictions: none, fetches: none)
        let (nothing, _) = try await ranAndAsked(["cloud", "plan"]) { _ in .json(empty) }
        #expect(nothing.out == "Nothing would move.\n")
    }

    /// Also where nothing would: what is in the way is not hidden behind that.
    @Test func aPlanSaysWhatIsInTheWay() async throws {
        let none = CountAndBytes(count: 0, byteCount: 0)
        var report = CloudPlanReport(rows: [], uploads: none, evictions: none, fetches: none)
        report.obstacle = StatusProblem(what: "the cloud is offline", fix: "albumctl cloud simulate --online")
        let blocked = report
        let (ran, _) = try await ranAndAsked(["cloud", "plan"]) { _ in .json(blocked) }
        let words = "In the way now: the cloud is offline\n    albumctl cloud simulate --online\n"
        #expect(ran.out == words + "\nNothing would move.\n", "\(ran.out)")
        #expect(ran.code == 3)
    }

    @Test func whatIsPinnedIsCounted() async throws {
        let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
            var report = Self.report
            report.pinned = CountAndBytes(count: 3, byteCount: 1_200_000)
            return .json(report)
        }
        #expect(ran.lines.contains("Pinned    3 (1.2 MB)"), "\(ran.out)")
    }

    @Test func whatIsInTheWayHasItsFixBelowIt() async throws {
        let (ran, _) = try await ranAndAsked(["cloud", "status"]) { _ in
            var report = Self.report
            (report.failure, report.failureFix) = ("it is not there", "mount its disk")
            return .json(report)
        }
        #expect(ran.code == 3 && ran.out.contains("Failure   it is not there\n    mount its disk\n"), "\(ran.out)")
    }

    @Test(arguments: [
        (["--offline"], #"{"isOffline":true}"#), (["--online"], #"{"isOffline":false}"#),
        (["--latency", "200ms"], #"{"latencyMilliseconds":200}"#),
        (["--bandwidth", "5MB/s"], #"{"bytesPerSecond":5000000}"#),
        (["--bandwidth", "unlimited", "--quota", "10GB"], #"{"bytesPerSecond":0,"quotaByteCount":10000000000}"#),
        (["--error-rate", "0.1", "--reset"], #"{"errorRate":0.1,"reset":true}"#),
        (["--lie-rate=1", "--truncate-rate=0"], #"{"lieRate":1,"truncateRate":0}"#),
        (["--throttle-rate=1", "--break-rate=1"], #"{"breakRate":1,"throttleRate":1}"#),
        (["--corrupt-rate=1"], #"{"corruptRate":1}"#), (["--list-delay", "5s"], #"{"listDelayMilliseconds":5000}"#),
        (
            ["--outage-every", "10m", "--outage-for", "30s"],
            #"{"outageEveryMilliseconds":600000,"outageForMilliseconds":30000}"#
        ),
        (["--lose", "\(Sample.identifier)"], #"{"lose":["\#(Sample.identifier)"]}"#),
        (["--corrupt", "\(Sample.identifier)"], #"{"corrupt":["\#(Sample.identifier)"]}"#),
    ])
    func howItIsToMisbehaveIsAsked(options: [String], body: String) async throws {
        let (ran, asked) = try await ranAndAsked(["cloud", "simulate"] + options) { _ in .json(Self.report) }
        #expect(ran.code == 0 && ran.out == "The simulated cloud: it does as it should.\n", "\(ran.error)")
        #expect(asked.map(\.operation) == [.simulateCloud])
        #expect(String(decoding: asked.first?.request.body ?? [], as: UTF8.self) == body)
    }

    @Test(arguments: [
        ["--offline", "--online"], ["--error-rate", "2"], ["--error-rate", "nan"], ["--latency", "soon"],
        ["--bandwidth", "fast"], ["--quota", "0"], ["--lose", "x"],
    ])
    func noMisbehaviourAtAllIsRefused(options: [String]) async throws {
        let (ran, asked) = try await ranAndAsked(["cloud", "simulate"] + options) { _ in .json(Self.report) }
        #expect(ran.code == 2 && asked.isEmpty)
    }

    @Test func withNothingGivenItSaysHowItIsNow() async throws {
        let (ran, asked) = try await ranAndAsked(["cloud", "simulate"]) { _ in
            var report = Self.report
            var faults = Simulation()
            (faults.isOffline, faults.latencyMilliseconds, faults.bytesPerSecond) = (true, 200, 5_000_000)
            (faults.quotaByteCount, faults.errorRate) = (10_000_000_000, 0.1)
            (faults.outageEveryMilliseconds, faults.outageForMilliseconds) = (600_000, 30_000)
            report.simulation = faults
            return .json(report)
        }
        #expect(asked.map(\.operation) == [.cloudStatus])
        let words = "offline, latency 200ms, bandwidth 5.0 MB/s, quota 10.0 GB, error rate 0.1"
        #expect(ran.out == "The simulated cloud: \(words), out of reach for 30s after each 10m.\n")
    }

    @Test func aPinHasAnEndOrNone() async throws {
        let token = TokenResult(token: 9)
        let (ran, asked) = try await ranAndAsked(["cloud", "pin", Self.identifier, "--until", "2999-01-31"]) { _ in
            .json(token)
        }
        #expect(ran.code == 0 && ran.out.hasPrefix("1 asset is pinned until 2999-01-3"))
        let request = try JSON.decode(PinRequest.self, from: asked.first?.request.body ?? [])
        #expect(request.isPinned && request.until == Date(rfc3339: "2999-01-31T00:00:00Z"))
        let (off, body) = try await ranAndAsked(["cloud", "unpin", Self.identifier, Self.identifier]) { _ in
            .json(TokenResult(token: nil))
        }
        #expect(off.out == "1 asset is pinned no longer, as before.\n")
        #expect(try JSON.decode(PinRequest.self, from: body.first?.request.body ?? []).isPinned == false)
    }

    @Test(arguments: ["tomorrow", "2020-01-01", "2027-02-30"])
    func aDayThatIsNoneOrOverIsNoEnd(date: String) async throws {
        let (ran, asked) = try await ranAndAsked(["cloud", "pin", Self.identifier, "--until", date]) { _ in .json([""])
        }
        #expect(ran.code == 2 && asked.isEmpty)
    }

    @Test(arguments: [("--keep-local", AlbumTier.keepLocal), ("--in-cloud", .inCloud), ("--none", nil)])
    func anAlbumHasOneRule(option: String, tier: AlbumTier?) async throws {
        let (ran, asked) = try await ranAndAsked(["cloud", "rule", "Inbox", option]) { asked in
            asked.operation == .albumsTitled
                ? .json(PageOf(rows: [Sample.album()], next: nil)) : .json(TokenResult(token: 3))
        }
        #expect(ran.code == 0)
        let request = try JSON.decode(AlbumTierRequest.self, from: asked.last?.request.body ?? [])
        #expect(request == AlbumTierRequest(album: Self.identifier, tier: tier))
        #expect(
            try await ranAndAsked(["cloud", "rule", "Inbox", "--none", "--in-cloud"]) { _ in .json([""]) }.0.code == 2)
    }

    @Test func withoutACloudEachSaysSo() async throws {
        let problem = Problem.conflict("noCloud", "there is no cloud", fix: "set engine")
        for arguments in [["plan"], ["evict", "--all"], ["drill"], ["simulate", "--offline"]] {
            let (ran, _) = try await ranAndAsked(["cloud"] + arguments) { _ in problem.response }
            #expect(ran.code == 5 && ran.error.contains("there is no cloud\n    set engine"))
        }
        let (status, _) = try await ranAndAsked(["cloud", "status"]) { _ in .json(CloudReport(engine: "none")) }
        #expect(status.lines.first == "cloud: none" && status.code == 0)
    }
}
