import Platform

/// What keeps the history from being kept in the store, or from being taken from it.
package enum MirrorError: Error, Sendable, Equatable {
    /// The store holds the library with this identifier.
    case otherLibrary(String)
    /// The store's history up to this token is not this library's: an older copy of the library was put back, or a restore
    /// was not ended.
    case ahead(token: Int64)
    /// The store knows nothing of this library, which has originals there alone.
    case vanished
    /// There is no library in the store.
    case empty
    /// There is no store: the directory of a simulated one is not there.
    case noStore(path: String)
    /// The directory holds something already.
    case notEmpty(path: String)
    /// A segment is not what its name says.
    case damaged(key: String)
    /// The store has the library's identity, and nothing of its history.
    case historyGone
    /// Changes that a restore needs are not in the store any more.
    case incomplete(HistoryLoss)
    /// This change does not follow from those before it.
    case unfit(token: Int64, why: String)
}

extension MirrorError {
    /// `text` is what the store has for an identity.
    init(otherIdentity text: String) {
        self = .otherLibrary(text.split(separator: "\n").first.map(String.init) ?? "")
    }

    /// Whether the store is another's: nothing of it is believed any more, and nothing goes there.
    package var isOthers: Bool {
        switch self {
        case .otherLibrary, .ahead, .vanished: true
        default: false
        }
    }
}

extension MirrorError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherLibrary(let found):
            "the store belongs to the library \(printable(found)); give each library a store, or a prefix, of its own"
        case .ahead(let token):
            "the store has the history of a later library, up to change \(token); restore that one into an empty directory: albumd restore --from-cloud"
        case .notEmpty(let path):
            "'\(printable(path))' holds a library already; a restore begins in an empty directory"
        case .vanished:
            "the store has nothing of this library, whose originals should be there: it is another one, or its volume is not mounted"
        case .noStore(let path):
            "the cloud's directory '\(printable(path))' is not there: mount its disk, or name the right one below [cloud]"
        case .empty: "there is no library in the store"
        case .historyGone:
            "the cloud has this library's identity, and nothing of its history: library/changes and library/snapshots are empty; put them back from a copy of the cloud, or begin with an empty library: albumd restore --from-cloud --partial, and then, for the originals that are there: albumctl cloud recover"
        case .damaged(let key): "the object \(printable(key)) is not there, or is not what its name says"
        case .incomplete(let loss):
            "the cloud lost \(counted(loss.changes, "change")) of the library's history: \(loss.objectsText) \(loss.objects.count == 1 ? "is" : "are") damaged or not there; put it back from a copy of the cloud, or give up what is lost and take the rest: albumd restore --from-cloud --partial"
        case .unfit(let token, let why):
            "change \(token) of the history in the cloud does not follow from those before it (\(printable(why))); put back a copy of the cloud, or give up what does not fit: albumd restore --from-cloud --partial"
        }
    }
}

extension HistoryLoss {
    /// The objects by name, some of them where they are many.
    package var objectsText: String {
        let named = objects.prefix(5).map { printable($0) }.joined(separator: ", ")
        return objects.count > 5 ? "\(named) and \(counted(objects.count - 5, "other"))" : named
    }
}
