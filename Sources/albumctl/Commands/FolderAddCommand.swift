import Control
import PhotoModel

extension Command {
    static let folderAdd = Command(
        name: "folder add", summary: "watch a folder: what is put there becomes part of the library",
        operands: "DIR", operandCount: 1...1,
        options: [
            .value("album", "TITLE", "the album of its photos; made if need be (the folder's own name)"),
            .choice(
                "mode", FolderRule.Mode.allCases.map(\.rawValue), "leave the files, or remove each once it is safe"),
            .choice("albums", FolderRule.Albums.allCases.map(\.rawValue), "one album, or one for each sub-directory"),
            .choice(
                "on-album-missing", FolderRule.MissingAlbum.allCases.map(\.rawValue),
                "when the album was deleted: make it anew, or let files wait"),
            .value("settle", "TIME", "how long a file must be at rest before it is taken (2s)"),
            .choice("watch", FolderRule.Watch.allCases.map(\.rawValue), "how changes are noticed"),
            .value("poll", "TIME", "from one scan to the next where it is polled (60s)"),
            .value("ignore", "PATTERN", isRepeatable: true, "names to pass over; may be given again (*.part, .*)"),
            .choice(
                "on-source-deleted", FolderRule.OnSourceDeleted.allCases.map(\.rawValue),
                "what a photo does when its file disappears"),
            .choice(
                "on-asset-deleted", FolderRule.OnAssetDeleted.allCases.map(\.rawValue),
                "what a file does when its photo is deleted"),
            .choice(
                "creation-date", FolderRule.CreationDate.allCases.map(\.rawValue),
                "the date of its photos: when taken, of the file, or of the import (capture)"),
            .flag("offline", "add it though it is not there now; it is watched as soon as it is"),
        ],
        about: """
            The folder is written to folders.toml beside the library, and watched at once. albumd reads it with its own
            rights: `albumctl folder check DIR` tries that, and tells the command that mends what is missing.
            A directory that is not there is refused with exit status 4, for its path may be mistyped; --offline is for
            one whose volume is not mounted now.
            """,
        examples: [
            Example("albumctl folder add /srv/photos/inbox", "watch it; the album is called inbox"),
            Example(
                "albumctl folder add ~/Camera --album 'Summer 2026' --mode move",
                "empty the card's folder into an album"),
            Example(
                "albumctl folder add /srv/scans --albums tree --ignore '*.xmp' --ignore '.*'",
                "an album for each sub-directory"),
        ],
        run: addFolder)
}

private func addFolder(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = try request(invocation.arguments)
    // The answer comes after the folder's first scan.
    let answer = try invocation.waiting(invocation.whatWaits) { () throws(Problem) in
        try invocation.api.ask(.addFolder, body: request, isLong: true, as: FolderRow.self)
    }
    guard !invocation.output.isJSON else {
        invocation.output.json(answer.json)
        return .done
    }
    let row = answer.value
    let isOnline = row.standing == "online"
    invocation.output.line(
        "\(isOnline ? "Watching" : "Added") \(shown(row.path, row.pathBase64)); its photos go to '\(shown(row.album))'."
    )
    if !isOnline { invocation.output.line("It is watched as soon as it can be reached:") }
    invocation.output.lines(folderRemarks(row))
    return .done
}

private func request(_ arguments: Arguments) throws(Problem) -> FolderRequest {
    var request = FolderRequest(path: try absolutePath(arguments.operands[0]))
    request.album = try arguments.text("album")
    request.mode = try arguments.text("mode")
    request.albums = try arguments.text("albums")
    request.onAlbumMissing = try arguments.text("on-album-missing")
    request.settle = try arguments.text("settle")
    request.watch = try arguments.text("watch")
    request.poll = try arguments.text("poll")
    request.ignore = arguments.has("ignore") ? try arguments.texts("ignore") : nil
    request.onSourceDeleted = try arguments.text("on-source-deleted")
    request.onAssetDeleted = try arguments.text("on-asset-deleted")
    request.creationDate = try arguments.text("creation-date")
    request.isOffline = arguments.has("offline") ? true : nil
    return request
}
