import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What stands, or does not, where a library has its own directories: nothing takes their place unsaid (RULES R2, R8).
@Suite struct OwnDirectoryTests {
    private func withLibrary(_ name: String = #function, _ body: (RealLibrary) throws -> Void) throws {
        try withScratchFolder(name) { try body(RealLibrary(in: $0)) }
    }

    /// An empty directory in its place would have every photo called missing, and the right one could not come back.
    @Test(arguments: ["catalogue.sqlite", "journal"]) func originalsThatAreAwayAreNotReplacedByEmptyOnes(
        left: String
    ) throws {
        try withLibrary(left) { home in
            try home.make()
            if left == "journal" {
                unlink(home.path + "/catalogue.sqlite")
                try home.write("journal/2026-11.ndjson", "")
            }
            rename(home.path + "/originals", home.path + ".originals")
            for _ in 0..<2 {
                try home.expectRefusal { error in
                    guard case .originalsGone = error else { return false }
                    return "\(error)".contains("put it back")
                }
            }
            guard left == "catalogue.sqlite" else { return }
            rename(home.path + ".originals", home.path + "/originals")
            let library = try home.open()
            #expect(try library.onThread { try $0.condition(of: "a") } == .sound)
            library.onThread { $0.close() }
        }
    }

    /// Whoever moved one away learns that it was missed; a new library has none, and says nothing.
    @Test(arguments: ["journal", "snapshots", "set-aside", "staging"])
    func aDirectoryThatIsMadeAnewIsTold(name: String) throws {
        try withLibrary(name) { made in
            let log = Monitor<[String]>([])
            var home = made
            home.machine.log = Log { entry in log.update { $0.append(entry.message) } }
            try home.make()
            #expect(log.update { $0 }.filter { $0.contains("made anew") } == [])
            rename(home.path + "/" + name, home.path + ".away")
            let library = try home.open()
            library.onThread { $0.close() }
            #expect(log.update { $0 }.count { $0.contains("'\(name)' was gone and is made anew") } == 1)
        }
    }

    /// What a crash leaves of a library that is being made has neither.
    @Test func aLibraryWithoutOriginalsThatNeverHadAnyIsTakenOn() throws {
        try withLibrary { home in
            let library = try home.open()
            library.onThread { $0.close() }
            for name in ["/catalogue.sqlite", "/catalogue.sqlite-wal", "/catalogue.sqlite-shm"] {
                unlink(home.path + name)
            }
            rmdir(home.path + "/originals")
            try home.make()
        }
    }

    enum Stranger: CaseIterable {
        case symlink
        case file
    }

    @Test(arguments: Stranger.allCases, ["originals", "staging", "journal"])
    func whatStandsInTheNameOfADirectoryIsSaidWithWhatMendsIt(stranger: Stranger, name: String) throws {
        try withLibrary("\(stranger)-\(name)") { home in
            try home.make()
            let place = home.path + "/" + name
            rename(place, home.path + ".\(name)")
            switch stranger {
            case .symlink: symlink(home.path + ".\(name)", place)
            case .file: try home.write(name, "")
            }
            try home.expectRefusal { error in
                guard case .directoryUnusable = error else { return false }
                return "\(error)".contains(place) && "\(error)".contains("make it a plain directory")
            }
        }
    }

    /// As root may write everywhere, the disk is a simulated one.
    @Test(arguments: [EACCES, EPERM]) func aLibraryThatMayNotBeWrittenIsToldWithWhatMendsIt(code: Int32) throws {
        try withSimulatedLibrary("\(code)") { home in
            try home.open().onThread { $0.close() }
            home.kill()
            home.files.failNext(.write, code)
            #expect {
                try home.open()
            } throws: { error in
                guard case LibraryError.notPermitted(path: "/library", _) = error else { return false }
                return "\(error)".contains("chown -R") && "\(error)".contains("lsattr")
            }
            _ = try home.open()
        }
    }
}
