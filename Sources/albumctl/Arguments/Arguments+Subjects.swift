import Control

/// The assets that a command line means.
extension Arguments {
    /// Identifiers and, where `--path` is given, files, each once; `purpose` says what for: `to be deleted`.
    func subjects(_ purpose: String) throws(Problem) -> [SubjectRequest] {
        var subjects: [SubjectRequest] = []
        let paths = options["path"] ?? []
        for path in paths { subjects.append(SubjectRequest(path: try absolutePath(path))) }
        for (index, operand) in operands.enumerated() {
            if paths.isEmpty {
                subjects.append(SubjectRequest(localIdentifier: try identifier(index)))
            } else {
                subjects.append(try subject(of: operand))
            }
        }
        guard !subjects.isEmpty else {
            throw .usage(
                "name what is \(purpose): ID…, or --path PATH…",
                fix: "albumctl asset list and albumctl why PATH show identifiers")
        }
        var seen: Set<SubjectRequest> = []
        return subjects.filter { seen.insert($0).inserted }
    }

    /// The same, or everything with `--all`; nothing else may be named then.
    func originals(_ purpose: String) throws(Problem) -> CloudRequest {
        guard has("all") else { return CloudRequest(subjects: try subjects(purpose), isDryRun: has("dry-run")) }
        guard operands.isEmpty, !has("path") else { throw .usage("name assets, or give --all, not both") }
        return CloudRequest(all: true, isDryRun: has("dry-run"))
    }
}

extension Option {
    /// Of commands about assets, which take files then, too.
    static let path = Option.value(
        "path", "PATH", isRepeatable: true, "the asset of this file; the operands may be files, too, then")
}
