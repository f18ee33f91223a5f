import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import Daemon

/// What `make run` prepares, with a stand-in for Swift and for the daemon.
@Suite(.enabled(if: isInstalled("make")))
struct MakeRunTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: ["plain", "with space and 'quote\" and \\"])
    func itStartsTheDaemonOnADemoOfItsOwn(name: String) throws {
        let clone = try MakeClone(named: name, in: scratch)
        let answer = try clone.make("run")
        #expect(answer.status == 0, "\(answer.output)")
        #expect(answer.output.contains("started --config \(clone.path)/demo/albumd.toml\n"))
        let configuration = try Configuration.load(Array((clone.path + "/demo/albumd.toml").utf8), at: .system)
        #expect(configuration.library == Array((clone.path + "/demo/library").utf8))
        #expect(configuration.socket == Array((clone.path + "/demo/run/control.sock").utf8))
        #expect(configuration.folders.map(\.path) == [Array((clone.path + "/demo/inbox").utf8)])
        #expect(configuration.folders.map(\.album) == ["Inbox"])
        #expect(configuration.folders.map(\.onSourceDeleted) == [.trash])
    }

    /// The lines are pasted as they are printed, and the last one's program stands in for albumctl.
    @Test(arguments: ["plain", "with space and 'quote\" and \\"])
    func thePrintedLinesWorkWhenPasted(name: String) throws {
        let clone = try MakeClone(named: name, in: scratch)
        let lines = try clone.make("run").output.split(separator: "\n").filter { $0.hasPrefix("    ") }
        #expect(lines.count == 3)
        let answer = try shell("bash -euc \(quoted(lines.joined(separator: "\n")))")
        #expect(answer.status == 0, "\(answer.output)")
        #expect(answer.output.hasSuffix("asset list --album Inbox\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: clone.path + "/demo/inbox").count == 1)
    }

    @Test func aDeepCloneGetsAShorterSocket() throws {
        let clone = try MakeClone(named: String(repeating: "deep", count: 25), in: scratch)
        #expect(try clone.make("run", environment: "XDG_RUNTIME_DIR=\(scratch.path)").status == 0)
        let configuration = try Configuration.load(Array((clone.path + "/demo/albumd.toml").utf8), at: .system)
        #expect(configuration.socket.starts(with: Array("\(scratch.path)/albumd-demo-".utf8)))
    }

    @Test func whatAPersonWroteIntoTheDemoStays() throws {
        let clone = try MakeClone(named: "clone", in: scratch)
        #expect(try clone.make("run").status == 0)
        #expect(try shell("echo 'settle = \"5s\"' >> \(scratch.path)/clone/demo/albumd.toml").status == 0)
        #expect(try clone.make("run").status == 0)
        #expect(try scratch.read("clone/demo/albumd.toml").hasSuffix("settle = \"5s\"\n"))
    }

    @Test func aSampleIsAnotherPictureEachTime() throws {
        let clone = try MakeClone(named: "clone", in: scratch)
        #expect(try clone.make("sample").status == 0)
        #expect(try clone.make("sample").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: clone.path + "/demo")
        let pictures = try names.map { try Data(contentsOf: URL(filePath: clone.path + "/demo/" + $0)) }
        #expect(Set(pictures).count == 2)
        for picture in pictures {
            #expect(picture.starts(with: [0xFF, 0xD8, 0xFF]) && picture.suffix(2).elementsEqual([0xFF, 0xD9]))
        }
    }

    @Test func withoutSwiftItSaysWhereToGetIt() throws {
        let clone = try MakeClone(named: "clone", in: scratch)
        #expect(try shell("cd \(clone.path)/bin && rm swift && ln -s $(command -v make) make").status == 0)
        let answer = try clone.make("run", environment: "PATH=\(clone.path)/bin")
        #expect(answer.status != 0)
        #expect(answer.output.contains("https://www.swift.org/install/linux/"))
    }
}
