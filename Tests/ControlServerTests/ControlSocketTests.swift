import ControlServer
import Glibc
import Platform
import Synchronization
import Testing

@Suite struct ControlSocketTests {
    @Test func aStaleSocketIsTakenOver() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            close(try ControlSocket.make(at: path))
            #expect(RawSocket(path) == nil)
            let again = try ControlSocket.make(at: path)
            defer { close(again) }
            #expect(RawSocket(path) != nil)
        }
    }

    @Test func aLiveSocketIsRefusedAndLeft() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            let first = try ControlSocket.make(at: path)
            defer { close(first) }
            #expect(throws: ControlServerError.alreadyServed(path: path)) { try ControlSocket.make(at: path) }
            #expect(RawSocket(path) != nil)
        }
    }

    @Test func whatIsNoSocketIsRefusedAndLeft() async throws {
        try await withScratchFolder { folder in
            let file = folder + "/file"
            close(open(file, O_CREAT | O_WRONLY, 0o600))
            let link = folder + "/link"
            #expect(symlink("/nowhere", link) == 0)
            for path in [file, link] {
                #expect(throws: ControlServerError.notASocket(path: path)) { try ControlSocket.make(at: path) }
                var status = stat()
                #expect(lstat(path, &status) == 0)
            }
        }
    }

    @Test func aSocketOfAnotherKindIsRefusedAndLeft() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/datagrams"
            let other = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(other) }
            try bindSocket(other, path)
            #expect(throws: ControlServerError.unclear(path: path, code: EPROTOTYPE)) {
                try ControlSocket.make(at: path)
            }
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test func noModeLetsOthersInAtAnyMoment() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            let isOver = Atomic(false)
            async let modes = onThread {
                var modes: Set<UInt32> = []
                // Once at least, however late the thread comes: the socket stays.
                repeat {
                    var status = stat()
                    if lstat(path, &status) == 0 { modes.insert(status.st_mode & 0o7777) }
                } while !isOver.load(ordering: .relaxed) || modes.isEmpty
                return modes
            }
            for _ in 0..<200 { close(try ControlSocket.make(at: path, group: getegid())) }
            isOver.store(true, ordering: .relaxed)
            let seen = try await modes
            #expect(seen.contains(0o660) && seen.isSubset(of: [0o600, 0o660]), "\(seen)")
        }
    }

    /// Every thread shares it: a directory that another one makes meanwhile must stay one that can be entered.
    @Test func theUmaskIsLeftAlone() async throws {
        try await withScratchFolder { folder in
            let before = currentUmask()
            let isOver = Atomic(false)
            async let seen = onThread {
                var seen: Set<UInt32> = []
                repeat { seen.insert(currentUmask()) } while !isOver.load(ordering: .relaxed) || seen.isEmpty
                return seen
            }
            for _ in 0..<200 { close(try ControlSocket.make(at: folder + "/control.sock")) }
            isOver.store(true, ordering: .relaxed)
            #expect(try await seen == [before])
        }
    }

    @Test func anAbsentDirectoryIsMade() async throws {
        try await withScratchFolder { folder in
            close(try ControlSocket.make(at: folder + "/new/control.sock"))
            var status = stat()
            #expect(stat(folder + "/new", &status) == 0)
            #expect(status.st_mode & 0o027 == 0)
        }
    }

    @Test func aPathThatIsTooLongIsSaidSo() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/" + String(repeating: "x", count: 107 - folder.utf8.count)
            #expect(throws: ControlServerError.pathTooLong(path: path, byteCount: 108)) {
                try ControlSocket.make(at: path)
            }
            #expect("\(ControlServerError.pathTooLong(path: path, byteCount: 108))".contains("108 bytes"))
            close(try ControlSocket.make(at: String(path.dropLast())))
        }
    }

    @Test func twoThatStartAtOnceDoNotBothGetIt() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            for _ in 0..<20 {
                let made = try await withThrowingTaskGroup(of: Int32?.self) { group in
                    for _ in 0..<4 { group.addTask { try await onThread { try? ControlSocket.make(at: path) } } }
                    return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
                }
                #expect(made.count == 1)
                for descriptor in made { close(descriptor) }
            }
        }
    }

    @Test func onlyAListeningUnixSocketIsAdopted() async throws {
        try await withScratchFolder { folder in
            let listening = try ControlSocket.make(at: folder + "/control.sock")
            defer { close(listening) }
            #expect(try ControlSocket.adopt(listening) == listening)
            let deaf = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(deaf) }
            let file = open("/dev/null", O_RDONLY)
            defer { close(file) }
            for descriptor in [deaf, file] {
                #expect(throws: ControlServerError.notListening(descriptor: descriptor)) {
                    try ControlSocket.adopt(descriptor)
                }
            }
        }
    }

    private func bindSocket(_ descriptor: Int32, _ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0)
    }
}
