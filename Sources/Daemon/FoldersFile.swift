package import PhotoModel
import Platform

/// The folders that were added by command: `folders.toml`, beside the library's directory.
///
/// The daemon alone writes it, under the library's lock. After a crash a write is there whole or not at all.
package struct FoldersFile: Sendable {
    package let path: [UInt8]
    private var name: String { printable(path) }

    /// The file that belongs to the library in this directory.
    package init(besideLibrary library: [UInt8]) {
        let end = library.lastIndex(of: UInt8(ascii: "/")) ?? library.startIndex
        path = Array(library[..<end]) + "/folders.toml".utf8
    }

    /// The rules in the file; none where there is no file.
    ///
    /// Throws where it cannot be read or understood.
    package func load() throws(ConfigurationError) -> [FolderRule] { try loadPlaced().rules }

    /// The same, with the places of their paths.
    func loadPlaced() throws(ConfigurationError) -> (rules: [FolderRule], places: PathPlaces) {
        guard let text = try trustedText(of: path) else { return ([], PathPlaces()) }
        return try rules(in: text)
    }

    /// Writes one more rule.
    ///
    /// Throws where its path is there already, or is none that the file can hold.
    package func add(_ rule: FolderRule) throws(ConfigurationError) {
        let folder = printable(rule.path)
        guard (try? UTF8Span(validating: rule.path.span)) != nil else {
            throw ConfigurationError(
                file: name, "'\(folder)' is not UTF-8, which TOML cannot hold; make a symlink to it and add that")
        }
        let old = try load()
        guard !old.contains(where: { $0.path == rule.path }) else {
            throw ConfigurationError(file: name, "'\(folder)' is already a folder")
        }
        let text = toml(old + [rule])
        guard try rules(in: text).rules.last == rule else {
            throw ConfigurationError(file: name, "'\(folder)' is not written plainly: no doubled, no final slash")
        }
        try replace(path, with: text)
    }

    /// Removes the rule of this path; false where there is none.
    package func remove(_ folder: [UInt8]) throws(ConfigurationError) -> Bool {
        let old = try load()
        let rest = old.filter { $0.path != folder }
        guard rest.count < old.count else { return false }
        try replace(path, with: toml(rest))
        return true
    }

    private func rules(
        in text: [UInt8]
    ) throws(ConfigurationError) -> (rules: [FolderRule], places: PathPlaces) {
        let root = try TOMLNode(parsing: text, file: name)
        var reader = ConfigurationReader(file: name)
        var rules: [FolderRule] = []
        for node in root.members {
            if node.key == "folder" {
                rules = reader.folders(node)
            } else {
                reader.refuseUnknownKey(node, known: ["folder"])
            }
        }
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        return (rules, reader.places)
    }

    private func toml(_ rules: [FolderRule]) -> [UInt8] {
        let head = "# Folders added by `albumctl folder add`. albumd rewrites this file; comments do not stay.\n"
        return Array(([head] + rules.map(\.toml)).joined(separator: "\n").utf8)
    }
}

extension Configuration {
    /// This configuration with the folders that were added by command; a path in both files is refused.
    package func adding(_ file: FoldersFile) throws(ConfigurationError) -> Configuration {
        let (added, addedPlaces) = try file.loadPlaced()
        let own = Set(folders.map(\.path))
        let problems = added.map(\.path).filter { own.contains($0) }.map { path in
            addedPlaces.problem(
                with: path,
                "'\(printable(path))' is in the configuration too; remove its [[folder]] from one of them")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        var all = self
        all.folders += added
        all.pathPlaces.add(addedPlaces)
        return all
    }
}
