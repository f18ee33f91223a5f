package import FoundationEssentials
package import PhotoModel

/// One change while it is made: read, then perform value requests.
///
/// It commits as one transaction with one token.
package struct Change {
    /// The library as it is within this change: what was performed already is seen.
    package let catalogue: Catalogue
    /// The instant of the whole change.
    package let date: Date
    /// What will be in the history: the requests that changed something.
    package private(set) var requests: [ChangeRequest] = []
    private var stories: [(key: SourceKey, story: String)] = []

    /// Lets short answers go first.
    private let giveWay: @Sendable () -> Void

    init(catalogue: Catalogue, date: Date, giveWay: @escaping @Sendable () -> Void) {
        self.catalogue = catalogue
        self.date = date
        self.giveWay = giveWay
    }

    /// Applies a request.
    ///
    /// Throws where the library cannot take it, and then the whole change is undone.
    package mutating func perform(_ request: ChangeRequest) throws {
        giveWay()
        guard try catalogue.apply(request, at: date) else { return }
        requests.append(request)
    }

    /// Adds to what `why` tells of a source; written only if the change changes something.
    package mutating func tell(_ story: String, of key: SourceKey) {
        stories.append((key, story))
    }

    func writeStories() throws {
        for (key, story) in stories {
            try catalogue.tell(story, of: key, at: date)
        }
    }
}

/// What a change came to: its token (nil where nothing had to be changed), and what the block returned.
package struct Committed<Value: Sendable>: Sendable {
    package var token: Int64?
    package var value: Value
}
