import FoundationEssentials
import PhotoModel

/// JSON text while it is written, with the objects and arrays that are open.
///
/// Lists are most of what albumd answers, and their rows are written as they are told: no tree of the text is made first,
/// which FoundationEssentials' encoder spends most of an answer's time on. Keys come out sorted, so that equal values have
/// equal texts.
///
/// Of one thread, and no two of its parts are changed at once: that is not checked anew at each byte.
final class JSONText {
    @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
    /// The objects and arrays that are open, outermost first.
    @exclusivity(unchecked) private var open: [Container] = []
    /// Where the members of the open objects begin, and where their keys end; each object's are the last ones.
    @exclusivity(unchecked) private var members: [Member] = []

    private struct Container {
        var isObject: Bool
        /// Behind the bracket.
        var start: Int
        var firstMember: Int
    }

    private struct Member {
        var start: Int
        var keyEnd: Int
    }

    var depth: Int { open.count }

    func begin(isObject: Bool) {
        bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        open.append(Container(isObject: isObject, start: bytes.count, firstMember: members.count))
    }

    /// Ends what is open beyond `depth`.
    func close(to depth: Int) {
        while open.count > depth {
            let container = open.removeLast()
            if container.isObject {
                sortMembers(from: container.firstMember)
                members.removeSubrange(container.firstMember...)
            }
            bytes.append(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    /// What comes next is an element of the array, or a member of the object, at `depth`.
    func beginMember(at depth: Int) {
        close(to: depth)
        if bytes.count > open[depth - 1].start { bytes.append(UInt8(ascii: ",")) }
    }

    func beginMember(at depth: Int, key: String) {
        beginMember(at: depth)
        let start = bytes.count
        write(key)
        members.append(Member(start: start, keyEnd: bytes.count))
        bytes.append(UInt8(ascii: ":"))
    }

    /// A key that needs no escapes, and comes after those before it.
    func writeKey(_ plain: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: plain)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Puts the members of the innermost object, the last of all, in the order of their keys.
    private func sortMembers(from first: Int) {
        let places = members[first...]
        guard zip(places, places.dropFirst()).contains(where: { precedes($1, $0) }) else { return }
        // Without the comma behind it.
        let ends = places.dropFirst().map { $0.start - 1 } + [bytes.count]
        let spans = zip(places, ends).sorted { precedes($0.0, $1.0) }.map { $0.start..<$1 }
        let start = members[first].start
        var sorted: [UInt8] = []
        sorted.reserveCapacity(bytes.count - start)
        for span in spans {
            if !sorted.isEmpty { sorted.append(UInt8(ascii: ",")) }
            sorted += bytes[span]
        }
        bytes.replaceSubrange(start..., with: sorted)
    }

    private func precedes(_ first: Member, _ second: Member) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            bytes[first.start..<first.keyEnd].lexicographicallyPrecedes(bytes[second.start..<second.keyEnd])
        }
    }

    func writeNull() { writeRaw("null") }

    func write(_ value: Bool) { writeRaw(value ? "true" : "false") }

    func write(_ value: some BinaryInteger) { writeRaw(String(value)) }

    /// As Swift describes it, which reads back as the same number; there is none for what is not finite.
    func write(_ value: Double) throws {
        guard value.isFinite else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "JSON has no number \(value)")
            throw EncodingError.invalidValue(value, context)
        }
        let text = value.description
        writeRaw(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    func write(_ date: Date) {
        bytes.append(UInt8(ascii: "\""))
        writeRaw(date.rfc3339)
        bytes.append(UInt8(ascii: "\""))
    }

    /// In quotes; what JSON or a terminal would obey is escaped.
    func write(_ string: String) {
        var string = string
        bytes.append(UInt8(ascii: "\""))
        string.withUTF8 { text in
            if text.allSatisfy(isPlain) { bytes.append(contentsOf: text) } else { escape(text) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func escape(_ text: UnsafeBufferPointer<UInt8>) {
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\"", "\\": writeRaw("\\\(scalar)")
            case "\n": writeRaw("\\n")
            case "\r": writeRaw("\\r")
            case "\t": writeRaw("\\t")
            default: writeRaw(JSON.isObeyed(scalar) ? JSON.escaped(scalar) : String(scalar))
            }
        }
    }

    private func writeRaw(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}
