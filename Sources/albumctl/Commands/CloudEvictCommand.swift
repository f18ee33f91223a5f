import Control

extension Command {
    static let cloudEvict = Command(
        name: "cloud evict", summary: "take originals off the disk, once their copies in the cloud are proven",
        operands: "ID… | --path PATH… | --all", operandCount: 0...Int.max,
        options: [
            .path, .flag("all", "every original that may leave the disk"),
            .flag("dry-run", "change nothing; list what would leave the disk"),
        ],
        about: """
            Each original is uploaded where that is needed; the store is asked for the hash of the whole object, and the
            original here is read again, before it is unlinked. The asset stays, with its identifier and its albums.
            Exit status 0 means that every one is evicted; 5 that one was refused, since it is pinned, kept by an album,
            in Recently Deleted or in use; 1 that one failed: it stays on the disk then. An upload that was begun is tried
            again by itself until the copy is proven, which albumctl cloud status counts as `Moving`; nothing leaves
            the disk by that. With --json each line is an original, and the last is {"end": …}, or {"error": …}.
            """,
        examples: [
            Example("albumctl cloud evict --all --dry-run", "what would leave, and how many bytes?"),
            Example("albumctl cloud evict 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "this one"),
            Example("albumctl cloud evict --path /srv/photos/inbox/clip.mp4", "the video that this file is"),
        ],
        run: { (invocation) throws(Problem) in
            try moveOriginals(.evictAssets, invocation.arguments.originals("to leave the disk"), invocation)
        })
}
