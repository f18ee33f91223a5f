import Control

extension Command {
    static let cloudVerify = Command(
        name: "cloud verify", summary: "ask the cloud for the hash of each copy, now",
        operands: "[ID… | --path PATH… | --all]", operandCount: 0...Int.max,
        options: [.path, .flag("all", "every copy (without this, too, where nothing is named)")],
        about: """
            A copy that the store says is gone, or is other bytes, is asked for once more ten minutes later, and only
            then believed: an original that is here is uploaded again, one that is nowhere any more is `lost`, and
            albumctl status says so. A store that cannot be reached has said nothing. Without names what is there of the
            library's history is read, too, and written again from the library where it rotted: `uploadedAgain`. Exit
            status 3 means that one was denied or has other bytes; 1 that one is lost, or could not be asked for.
            """,
        examples: [
            Example("albumctl cloud verify", "is every copy there?"),
            Example("albumctl cloud verify 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "this one"),
        ],
        run: { (invocation) throws(Problem) in
            let arguments = invocation.arguments
            let isNamed = !arguments.operands.isEmpty || arguments.has("path") || arguments.has("all")
            let request = isNamed ? try arguments.originals("to be verified") : CloudRequest(all: true)
            return try moveOriginals(.verifyCloud, request, invocation)
        })
}
