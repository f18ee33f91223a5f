import Control
import FoundationEssentials
import Glibc
import Importing
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import Daemon

/// `folder check` names what mends the very fault it has found.
@Suite struct FolderCheckTests {
    @Test(arguments: [(EROFS, "remount,rw", "setfacl"), (EPERM, "chattr -i", "setfacl"), (EACCES, "setfacl", "chattr")])
    func whatKeepsFilesFromBeingRemovedIsMendedByItsOwnRemedy(code: Int32, word: String, other: String) throws {
        let machine = SimulatedMachine(seed: 1).machine
        let checker = FolderChecker(machine: machine, library: machine.makeUUID(), polling: [:])
        let fix = checker.removalFix(Array("/in".utf8), code)
        #expect(fix.contains(word) && !fix.contains(other) && fix.contains(" /in"))
    }

    /// A name that would run a command, end its quotes, or be shown as another.
    @Test(
        .enabled(if: isInstalled("bash"), "needs bash"),
        arguments: ["a'$(touch INJECTED)'b.jpg", "a; touch INJECTED\n.jpg", "`touch INJECTED`\u{202E}", "it's \"5%\""])
    func whatMendsANameOfAnyKindRunsNothingOfIt(name: String) throws {
        let scratch = try Scratch()
        let path = Array("\(scratch.path)/\(name)".utf8)
        let away = checker.check(FolderRule(path: path, album: "A"), known: nil)
        let fixes = [
            checker.grantReading(ofFile: path), checker.grant(path, "rX"), checker.removalFix(path, EPERM),
            checker.removalFix(path, EROFS), otherLibraryFix(path), try #require(away.first?.fix),
        ]
        for fix in fixes {
            let line = String(fix.prefix { $0 != "\n" })
            let command = line.firstRange(of: ": ").map { String(line[$0.upperBound...]) } ?? line
            // The programs are said, and not run.
            let said = ["sudo", "findmnt", "rm", "mkdir", "albumctl"].map { "\($0)() { printf '%s\\n' \"$@\"; };" }
            let script = (["cd \(quoted(scratch.path));"] + said + [command]).joined(separator: " ")
            let answer = try shell("bash -c \(quoted(script))")
            #expect(answer.status == 0 && answer.output.contains("\(scratch.path)/\(name)"), "\(fix): \(answer)")
        }
        #expect(try shell("ls -A \(quoted(scratch.path))").output.isEmpty)
    }

    @Test func aUnitsLineNamesTheDirectoryAsAUnitIsRead() throws {
        func line(_ path: String) -> String? {
            checker.removalFix(Array(path.utf8), EACCES).split(separator: "\nand ").last.map(String.init)
        }
        #expect(line("/srv/in") == "set ReadWritePaths=-/srv/in in the unit")
        #expect(line("/srv/a b -/etc") == "set ReadWritePaths=\"-/srv/a b -/etc\" in the unit")
        #expect(line("/srv/5%\"") == #"set ReadWritePaths="-/srv/5%%\"" in the unit"#)
        #expect(line("/srv/a\nb")?.contains("move.conf") == true)
    }

    private func faults(_ scratch: Scratch, isRemoving: Bool = false) throws -> FolderFaults {
        let files = Machine.live(log: .silent).files
        let removal = isRemoving ? RemovalRights(files: files) : nil
        return FolderFaults(
            beneath: try files.openDirectory(Array(scratch.path.utf8)), ignore: IgnoreRules([]), removal: removal,
            files: files)
    }

    /// Makes `count` directories of this name in each other, and a file in the last.
    private func nest(_ count: Int, _ name: String, in scratch: Scratch) throws {
        let nested = try shell(
            "cd \(quoted(scratch.path)) && for _ in $(seq \(count)); do mkdir \(name) && cd -P \(name) || exit; done; echo x > f"
        )
        #expect(nested.status == 0, "\(nested.output)")
    }

    @Test(arguments: [(63, "d", 0), (64, "d", 1), (30, String(repeating: "n", count: 200), 1)])
    func whatLiesBeyondALimitOfTheScanIsNamed(depth: Int, name: String, count: Int) throws {
        let scratch = try Scratch()
        try nest(depth, name, in: scratch)
        let faults = try faults(scratch)
        #expect(faults.untaken.count == count && faults.checkedCount == 1 - count, "\(faults.untaken)")
        // The scan itself is the judge.
        let files = Machine.live(log: .silent).files
        var walk = try ScanWalk(
            root: try files.openDirectory(Array(scratch.path.utf8)), ignore: IgnoreRules([]), files: files)
        let skipped = walk.advance(limit: 1000).filter { if case .skipped = $0 { true } else { false } }
        #expect(skipped.map(\.path.bytes) == faults.untaken.map(\.path))
        let rule = FolderRule(path: Array(scratch.path.utf8), album: "A")
        let checks = checker.check(rule, known: nil).filter { $0.check == "entries" }
        #expect(
            checks.map(\.isGood) == [count == 0] && (checks.first?.fix?.contains("move it up") ?? false) == (count > 0))
    }

    private var checker: FolderChecker {
        FolderChecker(machine: Machine.live(log: .silent), library: Machine.live(log: .silent).makeUUID(), polling: [:])
    }

    @Test(.enabled(if: canChangeAttributes, "needs root, and a file system with attributes"))
    func whatIsImmutableOrAppendOnlyIsNamed() throws {
        let scratch = try Scratch()
        _ = try shell("cd \(quoted(scratch.path)) && mkdir -p shut/in open && touch imm app shut/a shut/in/b open/c")
        _ = try shell("cd \(quoted(scratch.path)) && chattr +i imm shut && chattr +a app")
        defer { _ = try? shell("cd \(quoted(scratch.path)) && chattr -i -a imm shut app") }
        var rule = FolderRule(path: Array(scratch.path.utf8), album: "A")
        #expect(!checker.check(rule, known: nil).contains { $0.check == "removable" })
        rule.mode = .move
        let checks = checker.check(rule, known: nil).filter { $0.check == "removable" }
        let fixes = ["app", "imm", "shut"].map { "sudo chattr -i -a \(scratch.path)/\($0)" }
        #expect(checks.compactMap(\.fix).sorted() == fixes && !checks.contains(where: \.isGood), "\(checks)")
        rule.mode = .copy
        rule.onAssetDeleted = .remove
        #expect(checker.check(rule, known: nil).count { $0.check == "removable" } == 3)
    }

    @Test(arguments: [
        (0o1777, 0, false, 5, true), (0o1777, 7, false, 5, false), (0o1777, 0, true, 5, false),
        (0o1777, 0, false, 7, false), (0o777, 0, false, 5, false),
    ])
    func aStickyDirectoryKeepsWhatOthersOwn(mode: Int, owner: Int, ownsAll: Bool, fileOwner: Int, isHeld: Bool) {
        func status(_ owner: Int, _ mode: Int) -> FileStatus {
            FileStatus(
                kind: .regular, device: 1, inode: 1, byteCount: 1, modified: 0, changed: 0, born: nil, linkCount: 1,
                owner: UInt32(owner), group: 0, mode: UInt32(mode))
        }
        let rights = RemovalRights(user: 7, ownsAll: ownsAll)
        #expect(rights.isHeld([status(7, 0o644), status(fileOwner, 0o644)], by: status(owner, mode)) == isHeld)
    }
}

/// Asked once: chattr(1) wants root, and not every file system has attributes.
private let canChangeAttributes: Bool = {
    guard let scratch = try? Scratch(), (try? scratch.write("", to: "f")) != nil else { return false }
    let file = quoted(scratch.path + "/f")
    return (try? shell("chattr +i \(file) && chattr -i \(file)").status) == 0
}()
