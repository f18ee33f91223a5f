import MediaFacts

/// Tags as text and numbers; what is not one is nil.
extension [Tag: String] {
    /// Without the spaces and zeros around it, which cameras pad with; nil where nothing is left.
    ///
    /// At most 4,096 characters: it is kept for ever, and whoever made the file chose it.
    func text(_ tag: Tag) -> String? {
        guard let value = self[tag] else { return nil }
        return trimmed(value[...])
    }

    func integer(_ tag: Tag) -> Int? { text(tag).flatMap { Int($0) } }

    /// A rational or decimal number of no negative value.
    func number(_ tag: Tag) -> Double? {
        guard let word = text(tag)?.split(separator: " ").first else { return nil }
        return nonNegativeNumber(word)
    }

    /// The parts of a value of several numbers; nil where one of them is none.
    func numbers(_ tag: Tag) -> [Double]? {
        guard let words = text(tag)?.split(separator: " "), words.count <= 3 else { return nil }
        let numbers = words.compactMap { nonNegativeNumber($0) }
        return numbers.count == words.count && !numbers.isEmpty ? numbers : nil
    }
}

private func trimmed(_ text: Substring) -> String? {
    let isPadding = { (character: Character) in character.isWhitespace || character == "\0" }
    let kept = text.drop(while: isPadding).prefix(4096)
    guard let last = kept.lastIndex(where: { !isPadding($0) }) else { return nil }
    return String(kept[...last])
}

/// `numerator/denominator` or a decimal number; nil for 0/0, 1/0, a negative part and whatever else is no number.
private func nonNegativeNumber(_ word: Substring) -> Double? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    switch numbers.count {
    case 1: return numbers[0]
    case 2 where numbers[1] > 0:
        let quotient = numbers[0] / numbers[1]
        return quotient.isFinite ? quotient : nil
    default: return nil
    }
}
