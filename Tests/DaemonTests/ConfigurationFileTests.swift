import Glibc
import PhotoModel
import Platform
import Testing

@testable import Daemon

@Suite struct ConfigurationFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func aFileIsRead() throws {
        let file = try scratch.write("library = \"/data/lib\"\n", to: "albumd.toml", mode: 0o644)
        #expect(try Configuration.load(Array(file.utf8), at: .system).library == Array("/data/lib".utf8))
    }

    @Test func aSymlinkToAGoodFileIsFollowed() throws {
        let file = try scratch.write("log_level = \"info\"\n", to: "real.toml")
        let link = scratch.path + "/link.toml"
        #expect(symlink(file, link) == 0)
        #expect(try Configuration.load(Array(link.utf8), at: .system).logLevel == .info)
    }

    @Test(arguments: [0o666, 0o620] as [UInt32])
    func aFileThatOthersCanWriteIsRefused(mode: UInt32) throws {
        let file = try scratch.write("", to: "albumd.toml", mode: mode)
        #expect(
            message(file)
                == "\(file): can be written by others, who could so command albumd; mend it with: chmod go-w \(file)")
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserIsRefused() throws {
        let file = try scratch.write("", to: "albumd.toml")
        #expect(chown(file, 4711, 4711) == 0)
        #expect(message(file).hasPrefix("\(file): belongs to user 4711; it must belong to root"))
    }

    @Test func aFIFOIsRefusedWithoutWaiting() throws {
        let fifo = scratch.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(message(fifo) == "\(fifo): is no regular file")
    }

    @Test func aNamedFileMustBeThere() {
        let file = scratch.path + "/none.toml"
        #expect(message(file) == "\(file): there is no such file")
    }

    @Test func anAbsentDefaultFileMeansTheDefaults() throws {
        var places = ConfigurationPlaces.system
        places.file = Array((scratch.path + "/none.toml").utf8)
        #expect(try Configuration.load(nil, at: places) == Configuration(at: places))
    }

    @Test func aUserHasPlacesOfTheirOwn() throws {
        let places = try ConfigurationPlaces(uid: 1000, home: Array("/home/eva".utf8)) { _ in nil }
        #expect(places.file == Array("/home/eva/.config/albumd/albumd.toml".utf8))
        #expect(places.library == Array("/home/eva/.local/share/albumd/library".utf8))
        #expect(places.socket == Array("/run/user/1000/albumd/control.sock".utf8))
    }

    @Test func theEnvironmentMovesAUsersPlaces() throws {
        let variables = [
            "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "relative, so ignored", "HOME": "/h",
        ]
        let places = try ConfigurationPlaces(uid: 1000, home: nil) { variables[$0].map { Array($0.utf8) } }
        #expect(places.file == Array("/c/albumd/albumd.toml".utf8))
        #expect(places.library == Array("/d/albumd/library".utf8))
        #expect(places.socket == Array("/run/user/1000/albumd/control.sock".utf8))
    }

    @Test(arguments: [0, 998, 61184] as [UInt32])
    func rootAndSystemUsersHaveTheSystemsPlaces(uid: UInt32) throws {
        #expect(try ConfigurationPlaces(uid: uid, home: nil) { _ in Array("/x".utf8) } == .system)
    }

    private func message(_ file: String) -> String {
        do throws(ConfigurationError) {
            _ = try Configuration.load(Array(file.utf8), at: .system)
            return "no error"
        } catch {
            return error.description
        }
    }
}
