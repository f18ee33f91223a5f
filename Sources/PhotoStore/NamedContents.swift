import Glibc
package import PhotoModel

/// Which of some contents a photo has by the history, or by the journal, whatever the tables say: it was named as a version
/// of an asset, and that was not purged.
///
/// A purge is for ever and no identifier is given out twice, so that the order of the changes says nothing here.
package struct NamedContents: Sendable {
    private let wanted: Set<ContentHash>
    private let isWhole: Bool
    private var token: Int64 = 0
    private var assets: [ContentHash: Set<LocalIdentifier>] = [:]
    private var purged: Set<LocalIdentifier> = []
    /// Named in a change that cannot be read any more.
    private var doubtful: Set<ContentHash> = []

    package init(_ hashes: Set<ContentHash>, in catalogue: Catalogue) throws {
        wanted = try hashes.filter { try catalogue.version(of: $0) == nil }
        isWhole = try catalogue.lostChangeCount() == 0
    }

    /// Itself, when it has looked at the next changes of the history, and whether there are more.
    package func advanced(in catalogue: Catalogue) throws -> (named: NamedContents, isMore: Bool) {
        guard !wanted.isEmpty else { return (self, false) }
        var next = self
        let lines = try catalogue.history(after: token, limit: 256)
        for var line in lines {
            next.token = line.token
            guard line.changes.withUTF8(next.mayMatter) else { continue }
            if let changes = try? changeRequests(fromHistory: line.changes) {
                next.take(changes)
            } else {
                next.doubtful.formUnion(line.changes.withUTF8(next.hashes))
            }
        }
        return (next, !lines.isEmpty)
    }

    /// Looks at every line of the journal, too: it may have what the history has lost.
    ///
    /// Blocks.
    package mutating func read(_ journal: JournalReader) throws {
        guard !wanted.isEmpty else { return }
        for month in try journal.months() {
            var file = try journal.open(month, at: 0)
            while let bytes = try file.next()?.bytes {
                guard bytes.withUnsafeBufferPointer(mayMatter), let line = JournalReader.line(bytes) else { continue }
                take(line.changes)
            }
        }
    }

    /// Those that a photo has.
    ///
    /// Where changes are lost, what builds on them may be, too: only of an asset that is there a rebuild brings it back.
    package func found(in catalogue: Catalogue) throws -> Set<ContentHash> {
        let named = try assets.filter { _, assets in
            try assets.contains { asset in
                guard !purged.contains(asset) else { return false }
                return try isWhole || catalogue.assetRow(asset).map { $0.asset.state != .purged } ?? false
            }
        }
        return doubtful.union(named.keys)
    }

    private mutating func take(_ changes: [ChangeRequest]) {
        for change in changes {
            switch change {
            case .createAsset(let creation): name(creation.content, creation.localIdentifier)
            case .addVersion(let addition): name(addition.content, addition.localIdentifier)
            case .addResource(let addition): name(addition.content, addition.localIdentifier)
            case .purgeAsset(let purge): purged.insert(purge.localIdentifier)
            default: break
            }
        }
    }

    private mutating func name(_ content: Content, _ asset: LocalIdentifier) {
        if wanted.contains(content.hash) { assets[content.hash, default: []].insert(asset) }
    }

    /// Most changes are about other contents, and are not decoded.
    private func mayMatter(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        find("\"purgeAsset\"", in: text[...]) != nil || !hashes(text).isEmpty
    }

    /// The wanted hashes that a text has as values.
    private func hashes(_ text: UnsafeBufferPointer<UInt8>) -> Set<ContentHash> {
        var found: Set<ContentHash> = []
        var rest = text[...]
        while let end = find("\"hash\":\"", in: rest) {
            rest = rest[end...]
            let digits = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest.prefix(64)))
            if let hash = ContentHash(rawDigits: digits), wanted.contains(hash) { found.insert(hash) }
        }
        return found
    }
}

/// The index behind the first such part of a text; the part begins with a quotation mark.
private func find(_ part: StaticString, in text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let bytes = UnsafeBufferPointer(rebasing: text)
    guard let start = bytes.baseAddress else { return nil }
    var offset = 0
    while offset + part.utf8CodeUnitCount <= bytes.count {
        guard let quote = memchr(start + offset, Int32(UInt8(ascii: "\"")), bytes.count - offset) else { return nil }
        offset = UnsafeRawPointer(quote) - UnsafeRawPointer(start)
        guard offset + part.utf8CodeUnitCount <= bytes.count else { return nil }
        if memcmp(quote, part.utf8Start, part.utf8CodeUnitCount) == 0 {
            return text.startIndex + offset + part.utf8CodeUnitCount
        }
        offset += 1
    }
    return nil
}
