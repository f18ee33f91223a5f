import FoundationEssentials

/// One text file of the project, by its path below the root.
struct ProjectFile: Sendable {
    let path: String
    let text: String
    /// The lines as Swift reads them; empty where it is no Swift.
    let swift: SwiftText

    init(path: String, text: String) {
        self.path = path
        self.text = text
        swift = SwiftText(path.hasSuffix(".swift") ? text : "")
    }

    func isBelow(_ prefixes: [String]) -> Bool { prefixes.contains { path.hasPrefix($0) } }
}

/// What breaks a rule, and where: as a compiler would say it.
struct Finding: Equatable, CustomStringConvertible {
    var path: String
    var line: Int
    var message: String

    var description: String { "\(path):\(line): \(message)" }
}

/// The project's own tree, found from this file.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path()

    /// Every Swift file of Sources and Tests.
    static let swiftFiles = ["Sources", "Tests"].flatMap(files).filter { $0.path.hasSuffix(".swift") }

    static func file(_ path: String) throws -> ProjectFile { ProjectFile(path: path, text: try text(path)) }

    /// The names of the directories just below a path.
    static func directories(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + path).filter { isDirectory(path + "/" + $0) }
            .sorted()
    }

    static func files(below path: String) -> [ProjectFile] {
        // A tree without these directories has nothing to judge, and the rules that need them say so.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []
        return names.sorted().flatMap { name -> [ProjectFile] in
            let below = path + "/" + name
            if isDirectory(below) { return files(below: below) }
            guard let text = try? text(below) else { return [] }
            return [ProjectFile(path: below, text: text)]
        }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: root + path)), as: UTF8.self)
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: root + path, isDirectory: &isDirectory) && isDirectory
    }
}
