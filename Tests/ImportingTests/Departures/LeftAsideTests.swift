import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A crash came when a file that was to be removed had its other name already: whichever file that is, wherever it is by
/// then, it is seen (RULES I1, I4).
@Suite struct LeftAsideTests {
    /// What has the other name, by the time of the next start.
    enum Left: CaseIterable {
        case source
        case another
        /// Another program put one there meanwhile, and then one under the old name.
        case anotherBesideANewOne
        case anotherInARenamedDirectory
        case anotherBesideAText
    }

    @Test(arguments: Left.allCases) func isAFileLikeAnyOther(left: Left) throws {
        try withCutOffRemoval { bench in
            try leave(left, bench)
            try bench.restart()
            try bench.flush()
            for number in pictures(left) {
                let stored = try #require(hash(of: SampleMedia.picture(number)))
                #expect(try bench.catalogue().version(of: stored)?.condition == .sound, "\(number)")
            }
            let names = try asides(bench, left == .anotherInARenamedDirectory ? "in/e" : "in/d")
            #expect(names.isEmpty)
            try bench.run(for: .seconds(300))
            #expect(try trashedCount(bench) == 0)
        }
    }

    /// The rule that it was to be removed by is another one now.
    @Test func isKeptWhereTheFolderDoesNotMoveAnyMore() throws {
        try withCutOffRemoval { bench in
            try leave(.source, bench)
            bench.rules[0].mode = .copy
            bench.rules[0].onSourceDeleted = .trash
            try bench.restart()
            try bench.run(for: .seconds(300))
            #expect(try bench.program.read(bench.path("in/d/0.jpg").bytes) == SampleMedia.picture(0))
            #expect(try state("in/d/0.jpg", bench) == .live)
        }
    }

    /// After a power cut a card is mounted read-only at times: status says what is there, and it heals.
    @Test func isToldWhereItCannotHaveItsName() throws {
        try withCutOffRemoval { bench in
            try leave(.another, bench)
            try bench.restart()
            for _ in 0..<1000 { bench.simulation.files.failNext(.rename, EROFS) }
            try bench.run(for: .seconds(300))
            let stranded = try #require(bench.engine?.status.folders.first?.stranded)
            #expect(stranded.keys.map { printable($0.bytes) } == ["d/.albumd-gone-0.jpg.part"])
            #expect(try bench.source("in/d/0.jpg")?.departure == nil)
            #expect(try bench.flush().waiting == [.folderReadOnly: 1])
            bench.simulation.files.forgetFaults()
            try bench.run(for: .seconds(120))
            #expect(bench.engine?.status.folders.first?.stranded == [:])
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    /// Another program removes files as albumd does, and is killed: no start of albumd comes.
    @Test func isSeenWhileTheFolderIsWatched() throws {
        try withMirror { bench in
            let path = bench.path("in/.albumd-gone-0.jpg.part").bytes
            try bench.program.rename(bench.path("in/0.jpg").bytes, to: path)
            for signal: WatchSignal in [
                .moved(
                    folder: 1, from: Array("0.jpg".utf8), toFolder: 1, to: Array(".albumd-gone-0.jpg.part".utf8),
                    isDirectory: false),
                .touched(folder: 1, path: Array(".albumd-gone-0.jpg.part".utf8), how: .movedIn),
            ] { bench.post(.watch([signal])) }
            try bench.run(for: .seconds(10))
            #expect(isThere("in/0.jpg", bench))
            try bench.run(for: .seconds(120))
            #expect(try state("in/0.jpg", bench) == .live)
        }
    }

    /// What can be renamed and not be unlinked waits as what can be neither: its name is given back without end else.
    @Test func aRefusedRemovalIsNoNewsOfTheFile() throws {
        let rules = { (bench: EngineBench) in try bench.addFolder("in", album: "Inbox") { $0.mode = .move } }
        try BenchDisk.simulated.withBench(#function, rules: rules) { bench in
            try bench.write("in/0.jpg", SampleMedia.picture(0))
            for _ in 0..<1000 { bench.simulation.files.failNext(.unlink, EACCES) }
            try bench.run(for: .seconds(30))
            let before = try bench.catalogue().history(after: 0, limit: 1000).count
            #expect(bench.board.candidates().map(\.reason) == [.permission])
            try bench.run(for: .seconds(600))
            let after = try bench.catalogue().history(after: 0, limit: 1000).count
            #expect(after - before <= 20, "\(before) \(after)")
            #expect(try bench.program.read(bench.path("in/0.jpg").bytes) == SampleMedia.picture(0))
        }
    }

    /// Killed just before it was to be set aside.
    private func withCutOffRemoval(_ body: (EngineBench) throws -> Void) throws {
        let rules = { (bench: EngineBench) in try bench.addFolder("in", album: "Inbox") { $0.mode = .move } }
        try BenchDisk.simulated.withBench(#function, rules: rules) { bench in
            try bench.makeDirectory("in/d")
            try bench.write("in/d/0.jpg", SampleMedia.picture(0))
            bench.crashes.arm(.kill, at: .beforeSourceRemoval)
            #expect(throws: SimulatedCrash.self) { try bench.run(for: .seconds(10)) }
            try body(bench)
        }
    }

    private func leave(_ left: Left, _ bench: EngineBench) throws {
        let (path, aside) = (bench.path("in/d/0.jpg").bytes, bench.path("in/d/.albumd-gone-0.jpg.part").bytes)
        if left == .source { return try bench.program.rename(path, to: aside) }
        try bench.program.unlink(path)
        try bench.program.write(aside, SampleMedia.picture(1))
        switch left {
        case .anotherBesideANewOne: try bench.program.write(path, SampleMedia.picture(2))
        case .anotherBesideAText: try bench.program.write(path, Array("no picture".utf8))
        case .anotherInARenamedDirectory:
            try bench.program.rename(bench.path("in/d").bytes, to: bench.path("in/e").bytes)
        case .source, .another: break
        }
    }

    private func pictures(_ left: Left) -> ClosedRange<Int> {
        switch left {
        case .source: 0...0
        case .another, .anotherInARenamedDirectory, .anotherBesideAText: 0...1
        case .anotherBesideANewOne: 0...2
        }
    }

    private func hash(of bytes: [UInt8]) -> ContentHash? {
        var hasher = ContentHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return ContentHash(bytes: hasher.finish())
    }

    private func asides(_ bench: EngineBench, _ directory: String) throws -> [String] {
        let files = bench.simulation.files
        return try files.list(files.openDirectory(bench.path(directory).bytes)).map {
            String(decoding: $0.name, as: UTF8.self)
        }.filter { $0.hasSuffix(".part") }
    }

    private func isThere(_ name: String, _ bench: EngineBench) -> Bool {
        (try? bench.program.read(bench.path(name).bytes)) != nil
    }
}
