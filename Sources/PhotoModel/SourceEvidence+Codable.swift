extension SourceEvidence: Codable {
    private enum Key: String, CodingKey {
        case fileSystem
        case inode
        case handle
        case born
        case modified
        case changed
        case byteCount
        case hash
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            fileSystem: try container.decodeOpaque(forKey: .fileSystem),
            inode: try container.decode(UInt64.self, forKey: .inode),
            handle: try container.decodeOpaque(forKey: .handle),
            born: try container.decodeIfPresent(Int64.self, forKey: .born),
            modified: try container.decode(Int64.self, forKey: .modified),
            changed: try container.decode(Int64.self, forKey: .changed),
            byteCount: try container.decode(Int64.self, forKey: .byteCount),
            hash: try container.decodeIfPresent(ContentHash.self, forKey: .hash))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeOpaque(fileSystem, forKey: .fileSystem)
        try container.encode(inode, forKey: .inode)
        try container.encodeOpaque(handle, forKey: .handle)
        try container.encodeIfPresent(born, forKey: .born)
        try container.encode(modified, forKey: .modified)
        try container.encode(changed, forKey: .changed)
        try container.encode(byteCount, forKey: .byteCount)
        try container.encodeIfPresent(hash, forKey: .hash)
    }
}
