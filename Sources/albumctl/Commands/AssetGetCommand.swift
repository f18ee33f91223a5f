import Control
import PhotoModel

extension Command {
    static let assetGet = Command(
        name: "asset get", summary: "show assets with all their files and versions",
        operands: "ID…", operandCount: 1...Int.max,
        about: """
            Each file of an asset has versions: the first is the original, the last the current one. With --json it is
            an array, in the order of the arguments. A version is `local`, `both` or `inCloud`, and `sound` there,
            `missing` or `corrupt`; what is in the cloud alone and missing is lost, and `in doubt` what the cloud denied
            once. What the bytes say stands before, as soon as they were read: with --json in full. Of several files
            each says why it is here, and where it is from.
            """,
        examples: [
            Example("albumctl asset get 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "all about it"),
            Example("albumctl asset get ID --json | jq -r '.[0].resources[0].versions[0].sha256'", "its hash"),
        ],
        run: showAssets)
}

private func showAssets(_ invocation: Invocation) throws(Problem) -> ExitCode {
    var rows: [AssetRow] = []
    for identifier in try invocation.arguments.identifiers(from: 0) {
        rows.append(try invocation.api.ask(.getAsset, id: identifier, as: AssetRow.self).value)
    }
    guard !invocation.output.isJSON else {
        invocation.output.json(JSON.encode(rows))
        return .done
    }
    for (index, row) in rows.enumerated() {
        if index > 0 { invocation.output.line() }
        invocation.output.lines(assetLines(row))
    }
    return .done
}

/// One asset, line by line.
func assetLines(_ row: AssetRow) -> [String] {
    let versions = row.resources.flatMap(\.versions)
    let words =
        (row.isInCloud ? ["in cloud"] : []) + damage(versions.map { ($0.residency, $0.condition, $0.isDoubted) })
    let cloud = words.map { ", " + $0 }.joined()
    let created = "\(localTime(row.creationDate)) (\(row.creationDateSource.rawValue))"
    return [
        "Asset     \(row.localIdentifier)  \(row.mediaType.rawValue), \(row.state.rawValue)\(cloud)",
        "Created   \(created), added \(localTime(row.addedDate))",
    ] + (row.trashing.map { [trashingLine($0)] } ?? []) + pinLines(row) + burstLines(row) + factLines(row)
        + row.resources.flatMap { resourceLines($0, isOneOfMany: row.resources.count > 1) }
}

private func pinLines(_ row: AssetRow) -> [String] {
    guard row.isPinned else { return [] }
    return ["Pinned    to the disk\(row.pinnedUntil.map { ", until \(localTime($0))" } ?? "")"]
}

private func burstLines(_ row: AssetRow) -> [String] {
    guard let burst = row.burst else { return [] }
    let place =
        burst.representative == row.localIdentifier
        ? "this one stands for them" : "\(burst.representative) stands for them"
    return ["Burst     \(burst.count) pictures, \(place)"]
}

private func trashingLine(_ row: TrashingRow) -> String {
    "Deleted   \(localTime(row.date)) (\(row.reason.rawValue)), vanishes for ever on \(weekday(row.expiryDate))"
}

private func resourceLines(_ resource: ResourceRow, isOneOfMany: Bool) -> [String] {
    let name = shown(resource.originalFilename, resource.originalFilenameBase64)
    let type = ResourceType(rawValue: resource.type).map { "\($0)" } ?? "\(resource.type)"
    return ["Name      \(name)" + (isOneOfMany ? "  (\(type))" : "")]
        + (resource.pairing.map { ["Because   it \(inert($0))"] } ?? [])
        + (resource.sources ?? []).map { source in
            "From      \(shown(source.path, source.pathBase64))" + (source.isGone ? " (gone)" : "")
        }
        + resource.versions.map { version in
            let state = [
                version.residency.rawValue, version.condition.rawValue, version.isDoubted == true ? inDoubt : nil,
                version.transfer?.rawValue,
            ].compactMap { $0 }.joined(separator: ", ")
            return "Version   \(version.sha256)  \(inert(version.contentType)), \(size(version.byteCount)), \(state)"
        }
}
