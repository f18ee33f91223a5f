import Control

extension Command {
    static let cloudDrill = Command(
        name: "cloud drill", summary: "try a restore: fetch some copies, compare their hashes, throw them away",
        options: [.value("sample", "N", "so many originals, others at each run (10)")],
        about: """
            Each is downloaded in whole to a scratch file of the library, hashed and deleted; nothing of the library
            changes. A backup that was never restored is none. Exit status 0 means that all of them came back.
            """,
        examples: [
            Example("albumctl cloud drill", "ten of them"),
            Example("albumctl cloud drill --sample 100", "once a month"),
        ],
        run: { (invocation) throws(Problem) in
            let count = try invocation.arguments.number("sample") ?? 10
            guard count > 0 else { throw .usage("--sample wants at least 1") }
            let request = CloudRequest(all: true, sample: Int(clamping: count))
            return try moveOriginals(.drillCloud, request, invocation)
        })
}
