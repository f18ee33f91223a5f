/// The name of a file on its way out (`SetAside`).
///
/// It tells the name of before, and whoever looks for files passes it over as a partial one (RULES R16e).
package enum AsideName {
    private static let (start, end) = (Array(".albumd-gone-".utf8), Array(".part".utf8))
    /// NAME_MAX (limits.h).
    private static let limit = 255

    /// The same for the same name.
    package static func aside(of name: [UInt8]) -> [UInt8] {
        let whole = start + name + end
        return whole.count <= limit ? whole : start + short(name) + end
    }

    /// The name of before, or, where that was too long, a short one; nil where this is no such name.
    package static func name(in aside: [UInt8]) -> [UInt8]? {
        guard aside.count > start.count + end.count, aside.starts(with: start), aside.suffix(end.count) == end[...]
        else { return nil }
        return Array(aside[start.count..<aside.count - end.count])
    }

    /// A name beside one that is taken, the `number`th.
    static func kept(_ name: [UInt8], _ number: Int) -> [UInt8] {
        let dot = name.lastIndex(of: dot).flatMap { $0 == 0 ? nil : $0 } ?? name.count
        let mark = Array((number < 2 ? "-albumd-kept" : "-albumd-kept-\(number)").utf8)
        let kept = name[..<dot] + mark + name[dot...]
        return kept.count <= limit ? Array(kept) : self.kept(short(name), number)
    }

    /// A number of the name, with its extension.
    private static func short(_ name: [UInt8]) -> [UInt8] {
        var hasher = ContentHasher()
        name.withUnsafeBytes { hasher.update($0) }
        let number = hasher.finish().prefix(8).flatMap { byte in
            Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
        }
        return number + name.suffix(20).drop { $0 != dot }
    }

    private static let dot = UInt8(ascii: ".")
}
