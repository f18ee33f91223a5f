import Control
import PhotoModel

extension Command {
    static let assetTier = Command(
        name: "asset tier", summary: "say of assets whether their originals are here or in the cloud",
        operands: "ID…", operandCount: 1...Int.max,
        about: """
            Each identifier once, in the order of the arguments, whatever its media type: `local` is here alone, `both`
            here and proven in the cloud, `inCloud` in the cloud alone. Of an asset with several originals it is the one
            that is farthest away, and where they differ each version stands behind the name; so does what is `missing`,
            `corrupt`, `lost`, or `in doubt`, since the cloud denied it once. The cloud is not asked.
            """,
        examples: [
            Example("albumctl asset tier 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "is it here?"),
            Example(
                "albumctl asset tier ID… --json | jq -r '.[] | select(.isInCloud) | .localIdentifier'",
                "those that are not"),
        ],
        run: tellTiers)
}

/// At most so many are asked for at once.
private let most = 1000

private func tellTiers(_ invocation: Invocation) throws(Problem) -> ExitCode {
    var seen: Set<LocalIdentifier> = []
    var identifiers = try invocation.arguments.identifiers(from: 0).filter { seen.insert($0).inserted }[...]
    var rows: [TierRow] = []
    while !identifiers.isEmpty {
        let request = TierRequest(localIdentifiers: Array(identifiers.prefix(most)))
        rows += try invocation.api.ask(.tierAssets, body: request, isLong: true, as: PageOf<TierRow>.self).value.rows
        identifiers = identifiers.dropFirst(most)
    }
    guard !invocation.output.isJSON else {
        invocation.output.json(JSON.encode(rows))
        return .done
    }
    var table = Table("IDENTIFIER", "TYPE", "RESIDENCY", "NAME")
    for row in rows {
        table.add(
            "\(row.localIdentifier)", row.mediaType.rawValue, row.residency.rawValue,
            shown(row.originalFilename, row.originalFilenameBase64) + remark(row))
    }
    invocation.output.lines(table.lines)
    return .done
}

private func remark(_ row: TierRow) -> String {
    let words =
        whereabouts(row.versions.map { ($0.version, $0.residency) }) + (row.transfer.map { [$0.rawValue] } ?? [])
        + (row.isPinned ? ["pinned"] : []) + damage(row.versions.map { ($0.residency, $0.condition, $0.isDoubted) })
    return words.isEmpty ? "" : "  (\(words.joined(separator: ", ")))"
}

/// What is lost, is not sound on the disk, or was denied by the cloud once: each word once.
func damage(_ versions: [(residency: Residency, condition: Condition, isDoubted: Bool?)]) -> [String] {
    let words = versions.flatMap { residency, condition, isDoubted in
        (condition == .sound ? [] : [residency == .inCloud && condition == .missing ? "lost" : condition.rawValue])
            + (isDoubted == true ? [inDoubt] : [])
    }
    return Set(words).sorted()
}

/// Of a copy that the cloud denied once, and is asked for again.
let inDoubt = "in doubt"

/// `original inCloud`, `current local`, where an edited photo's versions are not all in the same place.
func whereabouts(_ versions: [(name: String?, residency: Residency)]) -> [String] {
    guard Set(versions.map(\.residency)).count > 1 else { return [] }
    return versions.map { "\($0.name.map { inert($0) + " " } ?? "")\($0.residency.rawValue)" }
}
