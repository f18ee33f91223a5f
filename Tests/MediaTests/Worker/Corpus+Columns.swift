extension Corpus {
    /// What the manifest says of each file, by the name of the column; nil where there is no corpus.
    static func columns() -> [String: [String: String]]? {
        guard let rows = manifest()?.split(separator: "\n").map(cells), let names = rows.first else { return nil }
        return Dictionary(
            rows.dropFirst().map { row in (row[0], Dictionary(zip(names, row)) { first, _ in first }) }
        ) { first, _ in first }
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}
