package import FoundationEssentials
import MediaFacts
package import PhotoModel

/// What was read of contents, as the catalogue keeps it: JSON, of a photo, a video and an XMP sidecar what the worker
/// read, of Takeout's sidecar what it says.
extension FactsReading {
    /// Of the reading, kept with what was read.
    ///
    /// It grows when the worker reads what it did not read before, or more follows from it: all is read again then.
    package static let readerVersion = 2

    /// Nil where nothing could be read.
    package var text: String? {
        guard case .facts(let facts) = self else { return nil }
        return json(facts)
    }

    /// Of bytes that nothing knows: nothing.
    package static var emptyText: String? { json(FileFacts()) }

    /// Of Takeout's sidecar; nil where the bytes are none.
    package static func text(ofTakeout bytes: [UInt8]) -> String? { TakeoutSidecar(reading: bytes).flatMap(json) }
}

/// The texts of one asset's files, and what else its facts are judged by.
package struct FactsTexts: Sendable {
    package var kind: MediaKind
    /// Of the file that the asset is shown by.
    package var primary: String
    /// Of its XMP sidecars: of two that say the same thing, the first counts.
    package var xmp: [String] = []
    package var takeout: [String] = []

    package init(_ kind: MediaKind, primary: String) {
        self.kind = kind
        self.primary = primary
    }
}

extension AssetFacts {
    /// Nil where a text is none of ours.
    package init?(judging texts: FactsTexts, name: [UInt8]?, modified: Date?, now: Date) {
        guard let file = value(FileFacts.self, texts.primary) else { return nil }
        var evidence = FactEvidence(kind: texts.kind, file: file, name: name, modified: modified, now: now)
        for text in texts.xmp {
            guard let read = value(FileFacts.self, text) else { return nil }
            evidence.xmpSidecar.merge(read.tags) { first, _ in first }
        }
        evidence.takeoutSidecar = texts.takeout.lazy.compactMap { value(TakeoutSidecar.self, $0) }.first
        self.init(judging: evidence)
    }
}

private func json(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A number that is none cannot be written: it was checked when it was read.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
}

private func value<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
    try? JSONDecoder().decode(type, from: Data(text.utf8))
}
