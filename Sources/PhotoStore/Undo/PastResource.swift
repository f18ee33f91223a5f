import PhotoModel

/// One resource of an asset, as it was at some point of the history.
struct PastResource: Sendable {
    private(set) var type: ResourceType
    /// Every content so far; the first names the resource, whatever its type is by now.
    private(set) var contents: [Content]

    init(type: ResourceType, content: Content) {
        self.type = type
        contents = [content]
    }

    var first: ContentHash? { contents.first?.hash }
    var current: Content? { contents.last }

    private func has(_ hash: ContentHash) -> Bool { contents.contains { $0.hash == hash } }

    /// By a content that it has, else by its type, which is new where bytes that nothing knew turned out to be a video.
    func isMeant(by addition: VersionAddition) -> Bool {
        if let hash = addition.replacing { return has(hash) }
        return type == addition.resourceType
            || [.photo, .video].contains(type) && [.photo, .video].contains(addition.resourceType)
    }

    mutating func add(_ addition: VersionAddition) {
        type = addition.resourceType
        contents.append(addition.content)
    }

    fileprivate mutating func arrange(_ roles: [ResourceRole]) {
        if let role = roles.first(where: { has($0.hash) }) { type = role.type }
    }
}

extension [PastResource] {
    mutating func add(_ addition: ResourceAddition) {
        append(PastResource(type: addition.resourceType, content: addition.content))
    }

    mutating func arrange(_ arrangement: ResourceArrangement) {
        for index in indices { self[index].arrange(arrangement.roles) }
    }

    /// The one that began with a content.
    func resource(beganWith hash: ContentHash?) -> PastResource? { first { $0.first == hash } }
}
