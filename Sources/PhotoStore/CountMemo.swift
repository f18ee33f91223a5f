/// Counts of a whole table as of the newest change: each is a look at every row, and status asks for them all the time.
///
/// Belongs to one reading connection, as that does to one owner.
final class CountMemo {
    enum Name {
        case assets
        case purged
        case contents
        case sources
        case residencies
        case lost
        case missing
        case inCloudAssets
        case unsafeAssets
        case facts
        case smartAlbums
        case recentlyAdded
    }

    fileprivate var token: Int64 = -1
    fileprivate var counts: [Name: Any] = [:]
}

extension Catalogue {
    /// What `count` gives, or gave when the catalogue was as it is now.
    ///
    /// Only for what no write changes but one with a token (RULES R7).
    func remembered<Count>(_ name: CountMemo.Name, _ count: () throws -> Count) throws -> Count {
        // The writer reads in the middle of its changes.
        guard let memo else { return try count() }
        let token = try lastToken()
        if memo.token != token { (memo.token, memo.counts) = (token, [:]) }
        if let known = memo.counts[name] as? Count { return known }
        let fresh = try count()
        memo.counts[name] = fresh
        return fresh
    }
}
