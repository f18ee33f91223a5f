package import PhotoModel

/// Which files a sidecar's name can mean, best first: bytes, of which only suffixes are compared without case.
struct SidecarName {
    let kind: SidecarKind
    private let name: [UInt8]

    /// Nil where the name is no sidecar's.
    init?(_ name: [UInt8]) {
        guard let kind = SidecarKind(named: name) else { return nil }
        (self.kind, self.name) = (kind, name)
    }

    /// The whole name of the file that is meant, where the sidecar says it: `IMG.jpg` of `IMG.jpg.xmp`.
    var wholeName: [UInt8] { name.stem }

    /// The stem of the file that is meant, where the sidecar has taken its suffix's place: `IMG` of `IMG.xmp`.
    ///
    /// Of an edit's original recipe (`IMG_O1234.AAE`), the picture's own: `IMG_1234`.
    var stems: [[UInt8]] {
        switch kind {
        case .xmp: [name.stem]
        case .adjustment: [name.stem] + [name.stem.numberedName(without: "O")].compactMap { $0 }
        case .takeout: []
        }
    }

    /// Takeout's rules; nil for other sidecars.
    var takeout: TakeoutName? { kind == .takeout ? TakeoutName(name.stem) : nil }
}

extension SidecarKind {
    /// What a file is by its name alone; the content has the last word.
    package init?(named name: [UInt8]) {
        switch String(decoding: name.suffix, as: UTF8.self) {
        case "xmp": self = .xmp
        case "aae": self = .adjustment
        case "json": self = .takeout
        default: return nil
        }
    }
}

/// The name of Takeout's JSON, without `.json`: the media file's name, `.supplemental-metadata` cut off anywhere, and
/// the number of a copy.
///
/// `IMG.jpg`, `IMG.jpg.supplemental-metad`, `IMG.jpg(1)` and `IMG.jpg.supplemental-metadata(1)` of `IMG(1).jpg`. A name
/// of 46 characters has been cut, and can be the beginning of a longer one.
struct TakeoutName {
    /// The copy's number in its brackets, or nothing: `(1)`.
    let copy: [UInt8]
    private let stem: [UInt8]

    init(_ name: [UInt8]) {
        copy = name.copyNumber
        stem = Array(name.dropLast(copy.count))
    }

    /// The names that it can mean whole, best first.
    var wholeNames: [[UInt8]] {
        var names = [stem]
        let word = Array(".supplemental-metadata".utf8)
        for length in (1...word.count).reversed() where stem.suffix(length).elementsEqual(word.prefix(length)) {
            names.append(Array(stem.dropLast(length)))
        }
        return copy.isEmpty ? names : names.map { $0.stem + copy + Array($0.dropFirst($0.stem.count)) }
    }

    /// The least that is left of a name that was cut.
    static let cutLength = 45

    /// What a longer name begins with, where this one has been cut.
    var cutName: [UInt8]? {
        let characters = String(decoding: stem + copy, as: UTF8.self).utf16.count
        return (Self.cutLength...47).contains(characters) && copy.isEmpty ? stem : nil
    }
}

extension [UInt8] {
    /// `(1)` at the end.
    var copyNumber: [UInt8] {
        guard last == UInt8(ascii: ")"), let open = lastIndex(of: UInt8(ascii: "(")), open > startIndex else {
            return []
        }
        let digits = self[(open + 1)..<(count - 1)]
        return digits.isEmpty || !digits.allSatisfy(\.isASCIIDigit) ? [] : Array(self[open...])
    }
}
