import Control

extension Command {
    static let cloudRecover = Command(
        name: "cloud recover", summary: "make photos of originals that lie in the cloud, and that no photo here has",
        options: [.flag("dry-run", "fetch nothing; say what would come back")],
        about: """
            After a restore with --partial, or another loss of a part of the history: what the lost changes named is in
            the cloud still. Each such original is fetched, its hash proven, and saved into the album Recovered, under its
            hash for want of a name; a date comes from the photo itself. What was broken off goes on with the next run. What
            was deleted for good and still lies there is none of these.
            """,
        examples: [
            Example("albumctl cloud recover --dry-run", "is anything there?"),
            Example("albumctl cloud recover", "bring it back"),
        ],
        run: { (invocation) throws(Problem) in
            let request = RecoveryRequest(isDryRun: invocation.arguments.has("dry-run"))
            return try moveOriginals(.recoverOriginals, request, isOfAll: true, invocation)
        })
}
