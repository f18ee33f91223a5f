import Control
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct SocketPlaceTests {
    private func find(_ option: String? = nil, _ variables: [String: String]) throws(Problem) -> SocketPlace {
        let host = Host(
            machine: machine, variable: { variables[$0].map { Array($0.utf8) } }, isTerminal: false, executable: [])
        return try SocketPlace.find(option.map { Array($0.utf8) }, host)
    }

    @Test func theOptionComesFirstThenTheVariable() throws {
        #expect(try find("/o", ["ALBUMD_SOCKET": "/v"]).path == "/o")
        #expect(try find(nil, ["ALBUMD_SOCKET": "/v", "XDG_RUNTIME_DIR": "/x"]).path == "/v")
    }

    @Test func theUsersOwnIsTakenWhereItExists() throws {
        try withScratchFolder { folder in
            let variables = ["XDG_RUNTIME_DIR": folder.path]
            #expect(try find(nil, variables).path == "/run/albumd/control.sock")
            #expect(try find(nil, variables).places.count == 2)
            try PosixProgram().makeDirectory(folder.path("albumd"))
            try PosixProgram().write(folder.path("albumd/control.sock"), "")
            #expect(try find(nil, variables).path == folder.path("albumd/control.sock"))
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 108)])
    func aPathThatNoSocketCanHaveIsAUsageError(path: String) throws {
        let problem = #expect(throws: Problem.self) { try find(path, [:]) }
        #expect(problem?.exitCode == 2)
    }
}
