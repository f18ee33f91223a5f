import PhotoModel
import Platform

extension Configuration {
    /// Reads the text of a configuration file.
    ///
    /// `file` is the name that errors show. Throws every problem found at once; only a text that is no TOML at all
    /// ends with its first fault.
    package init(parsing text: [UInt8], file: String, at places: ConfigurationPlaces) throws(ConfigurationError) {
        self.init(at: places)
        let root = try TOMLNode(parsing: text, file: file)
        var reader = ConfigurationReader(file: file)
        take(root.members, with: &reader)
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        pathPlaces = reader.places
    }

    private mutating func take(_ members: [TOMLNode], with reader: inout ConfigurationReader) {
        for node in members {
            switch node.key {
            case "library": library = reader.placedPath(node, example: #""/var/lib/albumd/library""#) ?? library
            case "socket": socket = reader.socketPath(node) ?? socket
            case "log_level": logLevel = reader.logLevel(node) ?? logLevel
            case "folder": folders = reader.folders(node)
            case "cloud": cloud = reader.cloud(node)
            default: reader.refuseUnknownKey(node, known: ["library", "socket", "log_level", "folder", "cloud"])
            }
        }
    }
}

extension TOMLNode {
    /// The keys of a table; nothing for any other kind.
    var members: [TOMLNode] {
        if case .table(let members) = value { members } else { [] }
    }
}

extension ConfigurationReader {
    fileprivate mutating func socketPath(_ node: TOMLNode) -> [UInt8]? {
        guard let path = placedPath(node, example: #""/run/albumd/control.sock""#) else { return nil }
        guard path.count <= 107 else {
            refuse(
                node,
                "is \(counted(path.count, "byte")) long; a Unix socket's path has at most 107, choose a shorter one")
            return nil
        }
        return path
    }

    fileprivate mutating func logLevel(_ node: TOMLNode) -> Log.Level? {
        let levels = Log.Level.allNames
        let word = word(node, of: levels.map(\.name))
        return levels.first { $0.name == word }?.level
    }

    /// The rules of all `[[folder]]` tables; a path that comes twice is refused.
    mutating func folders(_ node: TOMLNode) -> [FolderRule] {
        guard case .array(let tables) = node.value, tables.allSatisfy(\.isTable) else {
            complain(
                line: node.line, column: node.column, "folder is no list of tables; write [[folder]] above each folder")
            return []
        }
        var rules: [FolderRule] = []
        for table in tables {
            guard let rule = folder(table) else { continue }
            if rules.contains(where: { $0.path == rule.path }) { refuseSecond(rule.path) }
            rules.append(rule)
        }
        return rules
    }

    /// Says at the value of a path that it stands further up already.
    private mutating func refuseSecond(_ path: [UInt8]) {
        guard let first = places.first(path)?.place, let second = places.last(path)?.place else { return }
        let name = printable(path)
        complain(
            line: second.line, column: second.column,
            "path = \"\(name)\" is already a folder, in line \(first.line); a directory can be one folder only")
    }
}

extension TOMLNode {
    fileprivate var isTable: Bool {
        if case .table = value { true } else { false }
    }
}

extension Log.Level {
    /// The words of `log_level`, most urgent first.
    fileprivate static let allNames: [(name: String, level: Log.Level)] = [
        ("fault", .fault), ("error", .error), ("warning", .warning), ("notice", .notice), ("info", .info),
        ("debug", .debug),
    ]
}
