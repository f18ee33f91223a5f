import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct TrashTests {
    private func host(_ variables: [String: String]) -> Host {
        Host(machine: machine, variable: { variables[$0].map { Array($0.utf8) } }, isTerminal: false, executable: [])
    }

    private func place(_ path: String) throws -> SaveSource.Place {
        let bytes = PathBytes(path)
        return SaveSource.Place(directory: try machine.files.openDirectory(bytes.directory.bytes), path: bytes)
    }

    @Test func aPathIsWrittenAsAnURLAndTheTimeIsLocal() {
        let text = String(
            decoding: trashInfo(path: [0x2F, 0x61, 0x20, 0xF1, 0x25, 0x0A], at: Sample.date), as: UTF8.self)
        #expect(text == "[Trash Info]\nPath=/a%20%F1%25%0A\nDeletionDate=\(trashTime(Sample.date))\n")
    }

    @Test(arguments: [
        ("a.jpg", 1, "a.jpg"), ("a.jpg", 2, "a.2.jpg"), ("a", 3, "a.3"), (".hidden", 2, ".hidden.2"),
    ])
    func aTakenNameGetsANumber(name: String, attempt: Int, expected: String) {
        #expect(trashName(Array(name.utf8), attempt) == Array(expected.utf8))
    }

    @Test func theLongestNameStillFits() {
        let name = trashName([UInt8](repeating: 0x61, count: 251) + Array(".jpg".utf8), 12)
        #expect(name.count + ".trashinfo".utf8.count <= 255)
        #expect(name.suffix(7) == Array(".12.jpg".utf8)[...])
    }

    @Test func onTheSameDeviceTheHomeTrashIsUsedAndNamesDoNotCollide() throws {
        try withScratchFolder { folder in
            let host = host(["HOME": folder.path])
            for text in ["one", "two"] {
                try PosixProgram().write(folder.path("a b.jpg"), text)
                try Trash(host: host).take(try place(folder.path("a b.jpg")))
            }
            let trash = folder.path(".local/share/Trash")
            #expect(try PosixProgram().read(trash + "/files/a b.jpg") == Array("one".utf8))
            #expect(try PosixProgram().read(trash + "/files/a b.2.jpg") == Array("two".utf8))
            let info = String(decoding: try PosixProgram().read(trash + "/info/a b.2.jpg.trashinfo"), as: UTF8.self)
            #expect(info.contains("Path=\(folder.path)/a%20b.jpg\n"))
            #expect(access(folder.path("a b.jpg"), F_OK) != 0)
        }
    }

    /// Where `/dev/shm` is a file system of its own, its top is that of a device without a home.
    @Test func onAnotherDeviceTheTrashIsAtItsTop() throws {
        let top = "/dev/shm"
        try withScratchFolder { folder in
            let devices = try [top, folder.path].map {
                try machine.files.status(of: machine.files.openDirectory(Array($0.utf8))).device
            }
            guard devices[0] != devices[1], access(top, W_OK) == 0, access(top + "/.Trash", F_OK) != 0 else {
                print("skipped, because \(top) is no device of its own to write to")
                return
            }
            let name = "albumctl-test-\(getpid()).jpg"
            let (trash, wasThere) = ("\(top)/.Trash-\(geteuid())", access("\(top)/.Trash-\(geteuid())", F_OK) == 0)
            try PosixProgram().write("\(top)/\(name)", "x")
            try Trash(host: host(["HOME": folder.path])).take(try place("\(top)/\(name)"))
            let info = try PosixProgram().read("\(trash)/info/\(name).trashinfo")
            #expect(String(decoding: info, as: UTF8.self).contains("\nPath=\(name)\n"))
            #expect(try PosixProgram().read("\(trash)/files/\(name)") == Array("x".utf8))
            try PosixProgram().unlink("\(trash)/info/\(name).trashinfo")
            try PosixProgram().unlink("\(trash)/files/\(name)")
            if !wasThere {
                for directory in ["\(trash)/info", "\(trash)/files", trash] {
                    try? PosixProgram().removeDirectory(directory)
                }
            }
            #expect(access(folder.path(".local"), F_OK) != 0)
        }
    }
}
