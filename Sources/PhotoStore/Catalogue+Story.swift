package import FoundationEssentials
package import PhotoModel
import SQLite

/// One entry of the story that `why` tells: what was decided of the file at a path.
package struct Decision: Sendable, Hashable {
    package var key: SourceKey
    package var date: Date
    package var story: String
}

/// The whole story of a source or an asset, wherever the file was.
extension Catalogue {
    /// What was decided at this path and, before a move brought the file here, at the paths where it was.
    package func story(of key: SourceKey) throws -> [Decision] {
        var entries: [Decision] = []
        var open = [(key: key, end: Date.distantFuture)]
        var seen: Set<SourceKey> = []
        while let (key, end) = open.popLast() {
            guard seen.insert(key).inserted else { continue }
            let own = try decisions(of: key).filter { $0.date <= end }
            entries = own.map { Decision(key: key, date: $0.date, story: $0.story) } + entries
            for date in own.filter({ mayTellOfAMove($0.story) }).map(\.date) {
                open += try formerKeys(of: key, movedAt: date).map { ($0, date) }
            }
        }
        return entries.inOrder
    }

    /// What was decided of any file that was, or is, this asset's.
    package func story(of asset: LocalIdentifier) throws -> [Decision] {
        let named = try connection.all(
            """
            SELECT folder.uuid, decision.path, date, story FROM decision JOIN folder ON folder.id = decision.folder
            WHERE instr(story, ?) > 0 ORDER BY decision.id
            """, .text(asset.description)
        ) {
            Decision(
                key: SourceKey(folder: try $0.uuid(0), path: PathBytes($0.blob(1))), date: $0.date(2), story: $0.text(3)
            )
        }
        let told = try sources(of: asset).flatMap { try story(of: $0.key) }
        let known = Set(told)
        return (told + named.filter { !known.contains($0) }).inOrder
    }

    /// Who made the asset: `import`, or `api uid N` for one that was saved by command.
    package func maker(of asset: Asset) throws -> String? {
        let lines = try connection.all(
            "SELECT token, date, origin, changes FROM history WHERE date = ?", .date(asset.addedDate)
        ) { HistoryLine(token: $0.integer(0), date: $0.date(1), origin: $0.text(2), changes: $0.text(3)) }
        return try lines.first { line in
            try changeRequests(fromHistory: line.changes).contains { $0.makes(asset.localIdentifier) }
        }?.origin
    }

    /// Only a hint, so that few changes are read again: the requests of the change are what counts.
    private func mayTellOfAMove(_ story: String) -> Bool {
        [Reason.moved, .edited].contains { story.contains("(\($0.rawValue))") }
    }

    /// Where a file was before the change of this date moved its mapping to `key`: the requests just before say it.
    private func formerKeys(of key: SourceKey, movedAt date: Date) throws -> [SourceKey] {
        let changes = try connection.all("SELECT changes FROM history WHERE date = ?", .date(date)) { $0.text(0) }
        for text in changes {
            let requests = try changeRequests(fromHistory: text)
            guard let place = requests.lastIndex(where: { $0.isMove(to: key) }) else { continue }
            return requests[..<place].reversed().prefixOfForgottenKeys
        }
        return []
    }
}

extension [Decision] {
    /// Oldest first; what has one date stays in its order.
    fileprivate var inOrder: [Decision] {
        enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
    }
}

extension ChangeRequest {
    fileprivate func makes(_ asset: LocalIdentifier) -> Bool {
        if case .createAsset(let creation) = self { return creation.localIdentifier == asset }
        return false
    }

    fileprivate func isMove(to key: SourceKey) -> Bool {
        if case .recordSource(let source) = self { return source.key == key && source.outcome.isMapped }
        return false
    }
}

extension Sequence<ChangeRequest> {
    /// The sources that are forgotten at the beginning, up to the first other request; an edit's new version between.
    fileprivate var prefixOfForgottenKeys: [SourceKey] {
        var keys: [SourceKey] = []
        for request in self {
            switch request {
            case .forgetSource(let key): keys.append(key)
            case .addVersion: continue
            default: return keys
            }
        }
        return keys
    }
}
