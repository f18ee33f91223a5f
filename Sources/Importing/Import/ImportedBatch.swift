package import PhotoModel
import PhotoStore

/// One staged source of a batch, and what `why` tells of its way.
package struct BatchItem: Sendable {
    package var source: StagedSource
    package var story: String

    package init(source: StagedSource, story: String) {
        self.source = source
        self.story = story
    }
}

/// One that is no asset's by its bytes.
struct FreshItem {
    var item: BatchItem
    /// The asset that its path was mapped to, and which stays.
    var replaced: LocalIdentifier?
    /// Among those of its batch.
    var order: Int

    var source: StagedSource { item.source }
    var key: SourceKey { item.source.key }
}

/// What became of a batch.
package struct ImportedBatch: Sendable {
    /// Each with the sources whose mapping moved there.
    package private(set) var outcomes: [(source: Source, former: [SourceKey])] = []
    /// Assets that are new, or have a file more.
    package var touched: Set<LocalIdentifier> = []
    /// Sidecars that came before what they speak of, and wait.
    package var orphans: [SourceKey: SidecarKind] = [:]
    /// Assets that are imported, and one of whose files is still to come.
    package var awaited: [LocalIdentifier: AwaitedFile] = [:]
    /// Files that are an asset's now: a sidecar may have come before them.
    package var arrived: [SourceKey] = []
    /// Sidecars that were passed over, for what they speak of was not there.
    package var passedOver: Set<SourceKey> = []

    mutating func take(
        _ source: Source, from former: [SourceKey] = [], of item: BatchItem, in change: inout Change
    ) {
        outcomes.append((source, former))
        if source.outcome == .updated, let asset = source.localIdentifier { touched.insert(asset) }
        let asset = source.localIdentifier.map { " as \($0)" } ?? ""
        let detail = source.reason == .paired ? source.detail.map { ": it \($0)" } ?? "" : ""
        change.tell(
            "\(item.story); \(source.outcome.rawValue) (\(source.reason.rawValue))\(asset)\(detail)", of: source.key)
    }
}
