import Importing
import PhotoModel
import Platform
import TestSupport

/// A folder `/f` on a simulated disk, walked.
struct ScanBench {
    let simulation = SimulatedMachine()

    init() throws { try simulation.program.makeDirectory("/f") }

    var files: SimulatedFiles { simulation.files }
    var program: SimulatedProgram { simulation.program }

    func path(_ name: String) -> [UInt8] { Array("/f/\(name)".utf8) }

    /// Makes every file, and the directories above it.
    func make(_ names: [[UInt8]]) throws {
        for name in names {
            let parts = PathBytes(name).bytes.split(separator: UInt8(ascii: "/"))
            for count in 1..<max(1, parts.count) {
                let directory = Array("/f/".utf8) + parts[..<count].joined(separator: [UInt8(ascii: "/")])
                // Another file may have needed it before.
                try? program.makeDirectory(directory)
            }
            try program.write(Array("/f/".utf8) + name, Array("x".utf8))
        }
    }

    func make(_ names: String...) throws { try make(names.map { Array($0.utf8) }) }

    func walk(ignore: [String] = []) throws -> ScanWalk {
        try ScanWalk(root: try files.openDirectory(Array("/f".utf8)), ignore: IgnoreRules(ignore), files: files)
    }

    func walk(beginLoop: @escaping BeginLoop) throws -> ScanWalk {
        try ScanWalk(
            root: try files.openDirectory(Array("/f".utf8)), ignore: IgnoreRules([]), files: files,
            beginLoop: beginLoop)
    }

    func items(_ walk: inout ScanWalk, slice: Int = 3) -> [ScanItem] {
        var items: [ScanItem] = []
        while !walk.isFinished { items += walk.advance(limit: slice) }
        return items
    }
}

extension ScanItem {
    var text: String {
        let name = printable(path.bytes)
        return switch self {
        case .file: name
        case .aside: "\(name): aside"
        case .skipped(_, let reason): "\(name): \(reason)"
        case .unreadable(_, let error): "\(name): errno \(error.code)"
        }
    }
}
