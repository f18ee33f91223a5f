import Control
import Platform

extension Command {
    static let cloudDrill = Command(
        name: "cloud drill", summary: "try a restore: fetch some copies, and compare their hashes",
        options: [
            .value("sample", "N", "so many originals, others at each run (10)"),
            .value("into", "DIR", "keep what came in this directory, <sha256>.<suffix>"),
        ],
        about: """
            Each is downloaded in whole from the cloud, hashed and compared; nothing of the library changes. Without
            --into albumd does that in a scratch file of the library, which is deleted, and reads the library's history
            there, too, as albumctl cloud verify does. With it albumctl writes the files itself, hashes them where they
            lie, and leaves them: to look at, or to have them; DIR is made where it is not there, and a file that an earlier
            drill left is no failure. A backup that was never restored is none. Exit status 0
            means that all of them came back.
            """,
        examples: [
            Example("albumctl cloud drill", "ten of them"),
            Example("albumctl cloud drill --sample 100", "once a month"),
            Example("albumctl cloud drill --sample 3 --into /tmp/drill", "three, to look at"),
        ],
        run: { (invocation) throws(Problem) in
            let count = try invocation.arguments.number("sample") ?? 10
            guard count > 0 else { throw .usage("--sample wants at least 1") }
            let request = CloudRequest(all: true, sample: Int(clamping: count))
            guard let directory = invocation.arguments.bytes("into") else {
                return try moveOriginals(.drillCloud, request, invocation)
            }
            return try CloudDrill(invocation, into: try absolutePath(directory)).run(request)
        })
}
