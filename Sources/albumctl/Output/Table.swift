/// Rows whose columns stand under each other, the last one ragged.
///
/// Cells must be printable already.
struct Table {
    private var rows: [[String]]

    init(_ headings: String...) { rows = [headings] }

    mutating func add(_ cells: String...) { rows.append(cells) }

    var isEmpty: Bool { rows.count == 1 }

    /// The rows below their headings.
    var lines: [String] {
        let widths = (0..<(rows.first?.count ?? 0)).map { column in
            rows.map { column < $0.count ? displayWidth($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.dropLast().enumerated().map { padded($0.element, to: widths[$0.offset]) }
            return (cells + row.suffix(1)).joined(separator: "  ")
        }
    }
}

/// The text with spaces behind it up to a width in columns of a terminal.
func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}

/// How many columns a terminal gives to a text (Unicode TR 11, in short: East Asian wide and emoji take two).
func displayWidth(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
}

private func width(of scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    let isWide = wide.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation
    return isWide ? 2 : 1
}

private let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
]
