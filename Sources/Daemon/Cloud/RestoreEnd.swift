import Cloud
import Control
import PhotoModel
import Platform

/// The last line of `restore --json`: the counts, and the originals whose bytes did not come back, at most 1,000 of each kind.
struct RestoreEnd: Codable, Sendable, Equatable {
    struct Row: Codable, Sendable, Equatable {
        var reason: LackingOriginal.Reason
        var localIdentifier: LocalIdentifier
        var sha256: ContentHash
        var originalFilename: String
        var originalFilenameBase64: String?
    }

    private enum CodingKeys: CodingKey { case lackingOriginals }

    var report: RestoreReport
    var lackingOriginals: [Row]

    init(_ report: RestoreReport) {
        self.report = report
        lackingOriginals = report.lacking.map { original in
            let name = Name(original.filename)
            return Row(
                reason: original.reason, localIdentifier: original.asset, sha256: original.hash,
                originalFilename: name.text, originalFilenameBase64: name.base64)
        }
    }

    init(from decoder: any Decoder) throws {
        report = try RestoreReport(from: decoder)
        lackingOriginals = try decoder.container(keyedBy: CodingKeys.self).decode([Row].self, forKey: .lackingOriginals)
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lackingOriginals, forKey: .lackingOriginals)
    }
}

extension RestoreReport {
    private static let mostTold = 10

    /// The first originals of that kind by name, and where all of them are found.
    func names(of reason: LackingOriginal.Reason, count: Int) -> [String] {
        let told = lacking.filter { $0.reason == reason }.prefix(Self.mostTold)
        let rows = told.map { "    \(printable($0.filename.bytes))  (\($0.asset))" }
        guard count > rows.count else { return rows }
        let all = reason == .missing ? "albumctl verify" : "albumctl cloud verify"
        return rows + ["    and \(counted(count - rows.count, "other")): \(all), once albumd runs, names each"]
    }
}
