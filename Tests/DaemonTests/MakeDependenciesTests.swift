import FoundationEssentials
import Glibc
import Testing

/// What `make deps` asks of the machine's package manager; here it only says how it was called.
@Suite(.enabled(if: isInstalled("make") && isInstalled("dpkg")))
struct MakeDependenciesTests {
    private let scratch: Scratch
    private let clone: MakeClone

    init() throws {
        scratch = try Scratch()
        clone = try MakeClone(named: "clone", in: scratch)
        try has(heif: "1.19.7", missing: "libmagic-dev")
        try scratch.writeProgram("#!/bin/sh\necho apt-get \"$@\"\n", to: "clone/bin/apt-get")
    }

    /// A machine with every package but one, and a libheif of that version.
    private func has(heif version: String, missing package: String) throws {
        try scratch.writeProgram(
            """
            #!/bin/sh
            case $2 in *Version*) printf %s \(version); exit;; esac
            case $3 in \(package)) exit 1;; esac
            printf installed

            """, to: "clone/bin/dpkg-query")
    }

    @Test(.enabled(if: getuid() == 0, "asks what root does"))
    func rootInstallsWhatIsMissingByName() throws {
        let answer = try clone.make("deps")
        #expect(answer.status == 0)
        #expect(answer.output.contains("apt-get update\napt-get install -y --no-install-recommends libmagic-dev\n"))
    }

    @Test(.enabled(if: getuid() == 0, "only root can become another"))
    func othersAreToldTheCommandWhereSudoDoesNotLetThem() throws {
        let answer = try makeAsNobody("deps")
        #expect(answer.status != 0)
        #expect(
            answer.output.contains("    apt-get update && apt-get install -y --no-install-recommends libmagic-dev\n"))
    }

    @Test func nothingIsAskedOfAnybodyWhereAllIsThere() throws {
        try has(heif: "1.19.7", missing: "nothing")
        let answer = try clone.make("deps")
        #expect(answer.status == 0 && answer.output == "", "\(answer.output)")
    }

    /// The libraries of the worker are needed by nothing else.
    @Test(.enabled(if: getuid() == 0, "only root can become another"))
    func whoMayNotInstallWhatTheWorkerNeedsBuildsWithoutIt() throws {
        try has(heif: "1.19.7", missing: "libvips-dev")
        let answer = try makeAsNobody("deps")
        #expect(answer.status == 0)
        #expect(answer.output.contains("Without these packages albumd reads no dates, places and sizes: libvips-dev"))
    }

    @Test(.enabled(if: getuid() == 0, "asks what root does"))
    func aFailureIsSaidOnceAndTheNetworkIsNotAskedWithEveryBuild() throws {
        try has(heif: "1.19.7", missing: "libvips-dev")
        try scratch.writeProgram("#!/bin/sh\necho apt-get \"$@\"\nexit 1\n", to: "clone/bin/apt-get")
        let first = try clone.make("deps")
        #expect(first.status == 0 && first.output.contains("That failed: it is left out."))
        let second = try clone.make("deps")
        #expect(second.status == 0 && !second.output.contains("apt-get install"))
        #expect(try clone.make("media-deps").output.contains("apt-get install"))
    }

    /// Debian 12's libheif refuses the HEIC of iOS 18.
    @Test(
        .enabled(if: getuid() == 0, "asks what root does"),
        arguments: [
            (
                "sources.list.d/debian.sources",
                "Types: deb\n# a comment\nURIs: mirror:/own\nSuites: RELEASE RELEASE-updates\n"
                    + "Components: main\nSigned-By: /own.gpg\n\nTypes: deb\nURIs: mirror:/security\nSuites: RELEASE-security\n"
            ),
            ("sources.list", "deb mirror:/own RELEASE main contrib\n"),
        ])
    func anOldLibheifIsTakenFromTheBackportsOfTheMachinesOwnMirror(file: String, sources: String) throws {
        try has(heif: "1.15.1", missing: "nothing")
        let release = try shell(". /etc/os-release && printf %s $VERSION_CODENAME").output
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/apt/sources.list.d", withIntermediateDirectories: true)
        try scratch.write(sources.replacing("RELEASE", with: release), to: "apt/" + file)
        let answer = try clone.make("media-deps APT=\(scratch.path)/apt")
        let entry = try scratch.read("apt/sources.list.d/albumd-backports.sources")
        let lines = entry.split(separator: "\n")
        #expect(
            lines.starts(with: ["Types: deb", "URIs: mirror:/own", "Suites: \(release)-backports", "Components: main"]))
        #expect(lines.count == (file == "sources.list" ? 4 : 5))
        // It is said before it is done.
        let said = try #require(answer.output.firstRange(of: "Enabling \(release)-backports for it"))
        let done = try #require(
            answer.output.firstRange(of: "apt-get install -y --no-install-recommends -t \(release)-backports"))
        #expect(said.lowerBound < done.lowerBound)
    }

    @Test(.enabled(if: getuid() == 0, "asks what root does"))
    func aNewLibheifNeedsNoBackports() throws {
        try has(heif: "1.18.0", missing: "libexif-dev")
        let answer = try clone.make("media-deps APT=\(scratch.path)/apt")
        #expect(answer.output.contains("apt-get install -y --no-install-recommends libexif-dev"))
        #expect(!answer.output.contains("backports"))
    }

    private func makeAsNobody(_ target: String) throws -> ShellAnswer {
        try scratch.writeProgram("#!/bin/sh\nexit 1\n", to: "clone/bin/sudo")
        // Another test may have changed the process's umask for a moment while these were made.
        #expect(try shell("chmod -R a+rX \(scratch.path)").status == 0)
        return try clone.make(target, as: "setpriv --reuid=nobody --clear-groups")
    }
}
