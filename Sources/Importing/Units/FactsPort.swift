package import Media
package import Platform

/// Who reads what files say of themselves while they are imported, as the engine sees it.
///
/// Without one each photo and video is an asset of its own.
package struct FactsPort: Sendable {
    /// Blocks for some seconds at most; an answer that nothing can be read comes at once.
    package var read: @Sendable (OpenFile, MediaKind) -> FactsReading
    /// The same of an XMP sidecar.
    package var readSidecar: @Sendable (OpenFile) -> FactsReading
    /// There is nothing to read for a while.
    package var rest: @Sendable () -> Void

    package init(
        read: @escaping @Sendable (OpenFile, MediaKind) -> FactsReading,
        readSidecar: @escaping @Sendable (OpenFile) -> FactsReading, rest: @escaping @Sendable () -> Void = {}
    ) {
        self.read = read
        self.readSidecar = readSidecar
        self.rest = rest
    }
}
