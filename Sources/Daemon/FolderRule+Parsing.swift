import PhotoModel

extension ConfigurationReader {
    /// The rule of one `[[folder]]` table; nil where path or album is missing or wrong.
    mutating func folder(_ table: TOMLNode) -> FolderRule? {
        let members = table.members
        let path = required("path", of: table, example: #""/srv/photos/inbox""#) { reader, node, example in
            reader.placedPath(node, example: example)
        }
        let album = required("album", of: table, example: #""Inbox""#) { reader, node, example in
            reader.title(node, example: example)
        }
        var rule = FolderRule(path: path ?? [], album: album ?? "")
        for node in members { take(node, into: &rule) }
        return path == nil || album == nil ? nil : rule
    }

    private mutating func take(_ node: TOMLNode, into rule: inout FolderRule) {
        switch node.key {
        case "path", "album": break
        case "on_album_missing": rule.onAlbumMissing = choice(node) ?? rule.onAlbumMissing
        case "albums": rule.albums = choice(node) ?? rule.albums
        case "mode": rule.mode = choice(node) ?? rule.mode
        case "settle": rule.settle = duration(node, in: .zero ... .seconds(3600)) ?? rule.settle
        case "awaited": rule.awaited = duration(node, in: .zero ... .seconds(24 * 3600)) ?? rule.awaited
        case "watch": rule.watch = choice(node) ?? rule.watch
        case "poll": rule.poll = duration(node, in: .seconds(1) ... .seconds(24 * 3600)) ?? rule.poll
        case "ignore": rule.ignore = patterns(node) ?? rule.ignore
        case "on_source_deleted": rule.onSourceDeleted = choice(node) ?? rule.onSourceDeleted
        case "on_asset_deleted": rule.onAssetDeleted = choice(node) ?? rule.onAssetDeleted
        case "creation_date": rule.creationDate = choice(node) ?? rule.creationDate
        default: refuseUnknownKey(node, known: FolderRule.keys)
        }
    }

    /// Patterns of names: each is held against one name at a time, so that one with a slash would match nothing.
    private mutating func patterns(_ node: TOMLNode) -> [String]? {
        if case .array(let elements) = node.value {
            for var element in elements {
                guard case .string(let text) = element.value, text.utf8.contains(UInt8(ascii: "/")) else { continue }
                element.key = node.key
                refuse(element, #"holds a slash; allowed are patterns of single names, such as ["*.part", ".*"]"#)
            }
        }
        return texts(node, example: #"["*.part", ".*"]"#)
    }

    private mutating func required<Value>(
        _ key: String, of table: TOMLNode, example: String,
        read: (inout ConfigurationReader, TOMLNode, String) -> Value?
    ) -> Value? {
        guard let node = table.members.first(where: { $0.key == key }) else {
            complain(
                line: table.line, column: table.column,
                "this folder has no \(key); write for example \(key) = \(example)")
            return nil
        }
        return read(&self, node, example)
    }
}

extension FolderRule {
    /// The keys of a `[[folder]]`, in the order in which the example shows them.
    static let keys = [
        "path", "album", "on_album_missing", "albums", "mode", "settle", "awaited", "watch", "poll", "ignore",
        "on_source_deleted", "on_asset_deleted", "creation_date",
    ]
}
