import FoundationEssentials

extension FolderRegistration: Codable {
    private enum Key: String, CodingKey {
        case folder
        case path
        case fileSystem
        case rootInode
        case isMarked
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            folder: try container.decode(UUID.self, forKey: .folder),
            path: try container.decode(PathBytes.self, forKey: .path),
            fileSystem: try container.decodeOpaque(forKey: .fileSystem),
            rootInode: try container.decode(UInt64.self, forKey: .rootInode),
            isMarked: try container.decode(Bool.self, forKey: .isMarked))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(folder, forKey: .folder)
        try container.encode(path, forKey: .path)
        try container.encodeOpaque(fileSystem, forKey: .fileSystem)
        try container.encode(rootInode, forKey: .rootInode)
        try container.encode(isMarked, forKey: .isMarked)
    }
}
