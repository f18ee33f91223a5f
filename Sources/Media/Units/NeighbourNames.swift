/// Which names beside a file can belong to it by the rules for names: those of edits, RAW and sidecars.
///
/// More than do: the plan has the last word.
package struct NeighbourNames: Hashable, Sendable {
    /// Names that are one of these, or go on with a dot.
    package private(set) var stems: [[UInt8]] = []
    /// Names that begin with this: Takeout cuts long ones.
    package private(set) var beginning: [UInt8]?

    package init(of name: [UInt8]) {
        if let sidecar = SidecarName(name) {
            add(sidecar.wholeName.stem)
            for stem in sidecar.stems { add(stem) }
            for name in sidecar.takeout?.wholeNames ?? [] { add(name.stem) }
            beginning = sidecar.takeout?.cutName
        } else {
            add(name.stem)
            let copy = name.stem.copyNumber
            if !copy.isEmpty { add(Array(name.stem.dropLast(copy.count))) }
            if name.count >= TakeoutName.cutLength { beginning = Array(name.prefix(TakeoutName.cutLength)) }
        }
        for stem in stems { addMarked(stem) }
    }

    /// One of the stems that all names of one unit have in common.
    package var common: [UInt8] { stems.min { $0.lexicographicallyPrecedes($1) } ?? [] }

    private mutating func add(_ stem: [UInt8]) {
        if !stem.isEmpty, !stems.contains(stem) { stems.append(stem) }
    }

    /// `IMG_1234`, its edit `IMG_E1234` and the recipe of that, `IMG_O1234`.
    private mutating func addMarked(_ stem: [UInt8]) {
        let original = stem.numberedName(without: "E") ?? stem.numberedName(without: "O") ?? stem
        let start = Array("IMG_".utf8)
        guard original.starts(with: start), original.count > start.count, original[start.count].isASCIIDigit else {
            return
        }
        add(original)
        for mark in ["E", "O"] { add(start + Array(mark.utf8) + original[start.count...]) }
    }

    /// Whether two names can belong together by what they are called.
    package static func areNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        NeighbourNames(of: one).covers(other) || NeighbourNames(of: other).covers(one)
    }

    func covers(_ name: [UInt8]) -> Bool {
        if let beginning, name.starts(with: beginning) { return true }
        return stems.contains {
            name.starts(with: $0) && (name.count == $0.count || name[$0.count] == UInt8(ascii: "."))
        }
    }
}
