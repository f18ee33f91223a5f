import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// Folders: what they are, and taking them on and letting them go by command.
extension LibraryService {
    func folders() async throws -> [FolderRow] { try await rows(of: importing.status.folders) }

    private func rows(of folders: [FolderStatus]) async throws -> [FolderRow] {
        try await read { try self.rows(of: folders, in: $0) }
    }

    func rows(of folders: [FolderStatus], in catalogue: Catalogue) throws -> [FolderRow] {
        let added = folderRules.addedPaths
        return try folders.map { folder in
            var row = row(of: folder, isFromCommand: added.contains(PathBytes(folder.rule.path)))
            if let uuid = folder.folder {
                let rule = AlbumRule(folder: uuid, rule: folder.rule)
                row.album = Name(try rule.currentTitle(for: PathBytes([]), in: catalogue)).text
            }
            return row
        }
    }

    private func row(of folder: FolderStatus, isFromCommand: Bool) -> FolderRow {
        let isOnline = folder.standing == .online
        var row = FolderRow(
            rule: folder.rule, standing: folder.standing.word, watching: isOnline ? folder.watching.word : "none",
            isFromCommand: isFromCommand)
        row.folder = folder.folder
        row.detail = folder.standing.detail
        // What the rule asks for needs no reason.
        if isOnline, case .polling(let why) = folder.watching, folder.rule.watch != .poll { row.watchingDetail = why }
        row.isMarked = folder.isMarked
        row.isScanning = folder.isScanning
        row.lastScan = folder.lastScan
        row.isLookedThrough = folder.isLookedThrough
        row.missedCount = folder.missedCount
        row.unreadable = (Array(folder.unreadable.keys) + folder.beyond.keys).sorted().map { printable($0.bytes) }
        return row
    }

    func addFolder(_ request: FolderRequest) async throws -> FolderRow {
        let rule = try request.rule()
        try await pool.run { [folderRules] in
            try folderRules.add(rule, isOffline: request.isOffline == true)
        }
        let path = PathBytes(resolvedPath(rule.path))
        // The engine takes the rule over in its next step.
        _ = await scanned(path)
        return try await folders().first { $0.path == Name(path).text }
            ?? FolderRow(
                rule: rule, standing: "unknown", watching: "none", isFromCommand: true)
    }

    func removeFolder(_ request: FolderPathRequest) async throws -> CountResult {
        let path = try request.requiredPath()
        try await pool.run { [folderRules] in try folderRules.remove(path) }
        return CountResult(count: 1)
    }

    func confirmFolder(_ request: FolderPathRequest) async throws -> FolderRow {
        let path = PathBytes(resolvedPath(try request.requiredPath().bytes))
        // One that was never taken on is so by a look, where nothing is in the way any more.
        if try await read({ try !$0.folders().contains { $0.path == path } }) { _ = await scanned(path) }
        let result = await withCheckedContinuation { continuation in
            importing.post(.confirm(path) { continuation.resume(returning: $0) })
        }
        switch result {
        case .success(let folder): return try await rows(of: [folder])[0]
        case .failure(let error): throw error.problem
        }
    }

    /// Waits for a full scan of one folder, or of all.
    func scanned(_ path: PathBytes?) async -> [FolderStatus] {
        await withCheckedContinuation { continuation in
            importing.post(.scan(path) { continuation.resume(returning: $0) })
        }
    }

    func reconcile(_ request: FolderPathRequest) async throws -> PageOf<FolderRow> {
        let path = try Name.bytes(request.path, request.pathBase64).map { PathBytes(resolvedPath($0.bytes)) }
        if let path, !importing.status.folders.contains(where: { $0.rule.path == path.bytes }) {
            throw Problem.notFound("'\(printable(path.bytes))' is no folder", fix: "albumctl folder list")
        }
        return PageOf(rows: try await rows(of: await scanned(path)), next: nil)
    }

    func flush(_ request: FlushRequest) async throws -> FlushResult {
        let name = Array(machine.makeUUID().uuidString.utf8)
        let seconds = request.timeoutSeconds ?? 600
        // A number beyond what a Duration holds would end the daemon.
        guard seconds > 0, seconds <= 86_400 else {
            throw Problem.badRequest(
                "timeoutSeconds is more than 0, and at most 86400",
                fix: "give a time of more than 0 and at most a day, such as 60s")
        }
        let timeout = Duration.seconds(seconds)
        let begun = machine.uptime()
        let report = await importing.flush(name: name, within: timeout)
        guard let report else {
            guard machine.uptime() - begun >= timeout else {
                throw Problem.unavailable("albumd ends, and waits for no file", fix: "systemctl status albumd says why")
            }
            throw Problem(
                "timeout", title: "Not everything is at rest yet", status: 504,
                detail: "after \(timeout) some files still settle or scans still run", fix: "albumctl pending")
        }
        return FlushResult(
            waiting: Dictionary(report.waiting.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +),
            offline: report.offline.map { printable($0.bytes) }, token: library.feed.newest)
    }
}

extension FolderPathRequest {
    func requiredPath() throws(Problem) -> PathBytes { try absolutePath(path, pathBase64) }
}

private func absolutePath(_ text: String?, _ base64: String?) throws(Problem) -> PathBytes {
    guard let path = try Name.bytes(text, base64), path.bytes.first == UInt8(ascii: "/") else {
        throw .badRequest("path must be an absolute path")
    }
    return path
}

extension FolderRequest {
    func requiredPath() throws(Problem) -> PathBytes { try absolutePath(path, pathBase64) }

    /// The rule that the fields make, defaults where they are silent.
    func rule() throws(Problem) -> FolderRule {
        let path = try requiredPath()
        if let album { _ = try PathBytes(albumTitle: album) }
        var rule = FolderRule(path: path.bytes, album: album ?? (path.name.utf8 ?? "Imported"))
        rule.onAlbumMissing = try word(onAlbumMissing, "onAlbumMissing") ?? rule.onAlbumMissing
        rule.albums = try word(albums, "albums") ?? rule.albums
        rule.mode = try word(mode, "mode") ?? rule.mode
        rule.watch = try word(watch, "watch") ?? rule.watch
        rule.settle = try duration(settle, "settle") ?? rule.settle
        rule.poll = try duration(poll, "poll") ?? rule.poll
        if let pattern = ignore?.first(where: { $0.utf8.contains(UInt8(ascii: "/")) }) {
            throw .badRequest("ignore: '\(printable(pattern))' holds a slash; allowed are patterns of single names")
        }
        rule.ignore = ignore ?? rule.ignore
        rule.onSourceDeleted = try word(onSourceDeleted, "onSourceDeleted") ?? rule.onSourceDeleted
        rule.onAssetDeleted = try word(onAssetDeleted, "onAssetDeleted") ?? rule.onAssetDeleted
        rule.creationDate = try word(creationDate, "creationDate") ?? rule.creationDate
        return rule
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ text: String?, _ name: String
    ) throws(Problem) -> Word? where Word.RawValue == String {
        guard let text else { return nil }
        if let word = Word(rawValue: text) { return word }
        let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw .badRequest("\(name) = '\(text)' is not allowed", fix: "choose one of \(allowed)")
    }

    private func duration(_ text: String?, _ name: String) throws(Problem) -> Duration? {
        guard let text else { return nil }
        if let duration = DurationText.parse(text) { return duration }
        throw .badRequest("\(name) = '\(text)' is no duration", fix: "write \(DurationText.wanted)")
    }
}

extension Watching {
    var word: String {
        switch self {
        case .starting: "starting"
        case .inotify: "inotify"
        case .polling: "polling"
        }
    }
}
