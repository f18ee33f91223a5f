import Control

extension Command {
    static let cloudFetch = Command(
        name: "cloud fetch", summary: "bring originals back to the disk from the cloud",
        operands: "ID… | --path PATH… | --all", operandCount: 0...Int.max,
        options: [
            .path, .flag("all", "every original that is in the cloud alone"),
            .flag("dry-run", "change nothing; list what would be fetched"),
        ],
        about: """
            An original is there again only when its hash is right, and its copy in the cloud stays. Ctrl-C ends the
            download. What is to stay here whatever the configuration says is pinned: albumctl cloud pin ID. Exit status
            0 means that every one is here. With --json a line without outcome says how far an original is, one with it
            what came of it, and the last line is {"end": …}, or {"error": …}.
            """,
        examples: [
            Example("albumctl cloud fetch 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "this one"),
            Example("albumctl cloud fetch --all --dry-run", "how many bytes would come?"),
            Example("albumctl asset list --residency inCloud --json | jq -r '.[].localIdentifier'", "what is away"),
        ],
        run: { (invocation) throws(Problem) in
            try moveOriginals(.fetchAssets, invocation.arguments.originals("to be fetched"), invocation)
        })
}
