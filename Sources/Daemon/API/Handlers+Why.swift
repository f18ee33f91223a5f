import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// The whole story of one file or asset.
extension LibraryService {
    func why(_ subject: SubjectRequest) async throws -> WhyReport {
        if let path = try Name.bytes(subject.path, subject.pathBase64) { return try await why(path: path) }
        guard let identifier = subject.localIdentifier else {
            throw Problem.badRequest("path or localIdentifier is needed")
        }
        return try await why(asset: identifier)
    }

    private func why(path: PathBytes) async throws -> WhyReport {
        let (now, uptime) = (machine.now(), machine.uptime())
        let board = importing.board
        let (rules, held) = (importing.status.folders, importing.status.heldDeletions)
        return try await read { catalogue in
            let roots = try self.roots(in: catalogue)
            guard let key = self.key(of: path, roots: roots) else {
                throw Problem.notFound("'\(printable(path.bytes))' lies in no folder", fix: "albumctl folder list")
            }
            let source = try catalogue.source(key)
            let candidate = board[key]
            let ignored = rules.contains {
                $0.folder == key.folder && IgnoreRules($0.rule.ignore).ignores(path: key.path)
            }
            let story = try catalogue.story(of: key)
            let away = rules.first { $0.rule.path == roots[key.folder]?.bytes }
                .flatMap { folder in PendingRow(waiting: folder, sources: 0).map { (folder, $0) } }
            guard source != nil || candidate != nil || ignored || !story.isEmpty || away != nil else {
                throw try self.nothingKnown(of: path, key, in: catalogue)
            }
            let state = try source?.localIdentifier.flatMap { try catalogue.asset($0)?.state } ?? .live
            var report = WhyReport(
                summary: self.summary(source, candidate, state, isIgnored: ignored, hasStory: !story.isEmpty))
            if let other = try source.flatMap({ try self.savedAgain($0, in: catalogue) }) {
                report.summary += " Its bytes were saved again, as \(other)."
            }
            if let (folder, row) = away {
                report.summary += " Its folder is \(folder.standing.word): \(row.detail ?? "")."
            }
            if let held = held.first(where: { $0.evidence[key] != nil }) {
                report.summary += " Its file is gone, with many others: albumctl confirm \(held.token) --dry-run."
            }
            let name = Name(path)
            (report.path, report.pathBase64) = (name.text, name.base64)
            report.localIdentifier = source?.localIdentifier
            report.waiting = candidate.map { self.row(of: $0, roots: roots, now: now, uptime: uptime) }
            report.events = story.map { self.line($0, at: key, roots: roots) }
            if let identifier = source?.localIdentifier {
                report.events = (report.events + (try self.deletions(of: identifier, in: catalogue))).inOrder
                try self.describe(identifier, roots: roots, in: catalogue, report: &report)
            }
            return report
        }
    }

    private func nothingKnown(of path: PathBytes, _ key: SourceKey, in catalogue: Catalogue) throws -> Problem {
        let name = "'\(printable(path.bytes))'"
        guard isThere(path) else {
            return .notFound("nothing is known of \(name), and it is not there", fix: "albumctl folder list")
        }
        if let (source, above) = try passedOver(above: path, key, in: catalogue) {
            let why = source.reason.explanation.map { ": \($0)" } ?? ""
            let place = "'\(printable(above.bytes))'"
            return .notFound(
                "\(name) lies in \(place), which is \(source.outcome.rawValue) (\(source.reason.rawValue))\(why)",
                fix: "albumctl why \(shellWord(path: above.bytes))")
        }
        guard isNoDirectory(path.bytes) else {
            return .notFound("\(name) is a directory, and nothing is told of those", fix: "albumctl why FILE")
        }
        return .notFound("nothing is known of \(name): no scan has seen it yet", fix: "albumctl reconcile")
    }

    /// The directory on the way to a file that no scan goes into, and what is known of it.
    private func passedOver(
        above path: PathBytes, _ key: SourceKey, in catalogue: Catalogue
    ) throws -> (Source, PathBytes)? {
        var (key, path) = (key, path)
        while true {
            (key.path, path) = (key.path.directory, path.directory)
            guard !key.path.bytes.isEmpty else { return nil }
            if let source = try catalogue.source(key) { return (source, path) }
        }
    }

    private func why(asset identifier: LocalIdentifier) async throws -> WhyReport {
        try await read { catalogue in
            guard let asset = try catalogue.asset(identifier) else { throw LibraryError.noSuchAsset(identifier) }
            let roots = try self.roots(in: catalogue)
            var report = WhyReport(summary: "The asset is \(asset.state.words).")
            report.localIdentifier = identifier
            let story =
                try self.saving(of: asset, in: catalogue)
                + catalogue.story(of: identifier).map { self.line($0, at: nil, roots: roots) }
            report.events = (story + (try self.deletions(of: identifier, in: catalogue))).inOrder
            try self.describe(identifier, roots: roots, in: catalogue, report: &report)
            return report
        }
    }

    /// How an asset began that no folder brought.
    private func saving(of asset: Asset, in catalogue: Catalogue) throws -> [StoryLine] {
        guard let maker = try catalogue.maker(of: asset), maker.hasPrefix("api ") else { return [] }
        let name = printable((asset.resources.first?.originalFilename ?? PathBytes([])).bytes)
        return [StoryLine(date: asset.addedDate, text: "saved by command (\(maker)) as '\(name)'")]
    }

    /// When and why the asset went into Recently Deleted, came out of it, or went for good.
    private func deletions(of asset: LocalIdentifier, in catalogue: Catalogue) throws -> [StoryLine] {
        try catalogue.deletions(of: asset).compactMap { deletion in
            deletion.text.map { StoryLine(date: deletion.date, text: $0) }
        }
    }

    /// An entry of the story, with the path where that is not the one asked for.
    private func line(_ decision: Decision, at key: SourceKey?, roots: [UUID: PathBytes]) -> StoryLine {
        guard decision.key != key else { return StoryLine(date: decision.date, text: decision.story) }
        let name = printable(absolute(decision.key, roots: roots).bytes)
        return StoryLine(date: decision.date, text: "'\(name)': \(decision.story)")
    }

    private func describe(
        _ identifier: LocalIdentifier, roots: [UUID: PathBytes], in catalogue: Catalogue, report: inout WhyReport
    ) throws {
        report.mappings = try rows(asset: identifier, roots: roots, in: catalogue)
        report.asset = try catalogue.asset(identifier).map { try self.wholeRow(of: $0, in: catalogue) }
        report.albums = try catalogue.albums(containing: identifier).compactMap { try catalogue.album($0) }
            .map { AlbumRow($0) }
    }

    private func summary(
        _ source: Source?, _ candidate: Candidate?, _ state: AssetState, isIgnored: Bool, hasStory: Bool
    ) -> String {
        if let candidate {
            let detail = candidate.explanation.map { ": \($0)" } ?? ""
            return "It waits (\(candidate.reason.rawValue))\(detail)."
        }
        guard let source else {
            if hasStory { return "Nothing is known to be there now. What became of it stands below." }
            return isIgnored
                ? "It is passed over: its name matches the folder's ignore rules or is a partial file's."
                : "Nothing is known of it."
        }
        let detail = (source.detail ?? source.reason.explanation).map { ": \($0)" } ?? ""
        let asset = source.localIdentifier.map { " as \($0)" } ?? ""
        let (verb, end) = state == .live ? ("is", "") : ("was", ", which is \(state.words) now")
        let outcome = "\(source.outcome.rawValue) (\(source.reason.rawValue))"
        return "It \(verb) \(outcome)\(asset)\(detail)\(end).\(absence(of: source))"
    }

    private func absence(of source: Source) -> String {
        if source.isRemoved { return " albumd removed its file after the original was proven." }
        return source.departure == nil ? "" : " Its file is gone."
    }
}

extension Deletion {
    /// What `why` tells of it.
    fileprivate var text: String? {
        switch request {
        case .trashAssets(let trashing): "moved to Recently Deleted: \(trashing.reason.text(origin))"
        case .restoreAssets: "taken back out of Recently Deleted (\(origin))"
        case .purgeAsset(let purge):
            purge.reason == .expired
                ? "deleted for good: its 30 days in Recently Deleted were over" : "deleted for good (\(origin))"
        default: nil
        }
    }
}

extension TrashReason {
    fileprivate func text(_ origin: String) -> String {
        switch self {
        case .person: "deleted by command (\(origin))"
        case .sourceDeleted: "its last file was deleted"
        case .undone: "the change that brought it was undone (\(origin))"
        case .sourceDeletionConfirmed: "its last file was deleted with many others, and somebody confirmed that"
        }
    }
}

extension AssetState {
    fileprivate var words: String {
        switch self {
        case .live: "live"
        case .trashed: "in Recently Deleted"
        case .purged: "deleted for good"
        }
    }
}

extension [StoryLine] {
    /// Oldest first; what has one date stays in its order.
    fileprivate var inOrder: [StoryLine] {
        enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
    }
}
