package import PhotoModel

/// Which files are one asset: every file in exactly one unit, whatever order they are given in.
///
/// A pure function of names and facts. What is not proved stays apart: two assets can be joined later, one asset made
/// of two photos cannot be told from one photo again.
package struct UnitPlan: Sendable {
    /// In the order of their primaries.
    package let units: [MediaUnit]
    package let stacks: [BurstStack]
    /// For every file that is nearly another's companion, the reason why it is not.
    package let nearMisses: [NearMiss]
    private let places: [SourceKey: Int]

    /// `settled` are assets that there are already: they stay together, and no two of them are joined.
    package init(_ files: [CandidateFile], settled: [MediaUnit] = []) {
        var builder = UnitBuilder(files, settled: settled)
        builder.join()
        builder.noteNearMisses()
        units = builder.links().compactMap(\.unit)
        stacks = builder.stacks(of: units)
        nearMisses = builder.nearMisses.sorted { ($0.file, $0.other) < ($1.file, $1.other) }
        places = Dictionary(
            units.enumerated().flatMap { index, unit in unit.files.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
    }

    package func unit(of file: SourceKey) -> MediaUnit? { places[file].map { units[$0] } }

    /// Whether a file that comes late belongs to one of the assets around it: the asset as it is with the file.
    ///
    /// Nil where it is one of its own. `files` are the assets' files and whatever else lies near; the asset is the one
    /// of `assets` whose files are in the unit, and its identifier stays (FEATURES N5). Roles can change: an edit that
    /// came alone is its asset's photo until the original comes.
    package static func joining(_ file: CandidateFile, to assets: [MediaUnit], of files: [CandidateFile]) -> MediaUnit?
    {
        let unit = UnitPlan(files + [file], settled: assets).unit(of: file.key)
        let settled = Set(assets.flatMap(\.files))
        return unit.flatMap { $0.files.contains { $0 != file.key && settled.contains($0) } ? $0 : nil }
    }
}
