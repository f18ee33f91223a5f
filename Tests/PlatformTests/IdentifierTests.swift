import FoundationEssentials
import Platform
import Testing

/// Identifiers are random ones, each its own, whatever the process may open (RFC 9562, version 4).
@Suite struct IdentifierTests {
    @Test func everyIdentifierIsAnotherOneOfVersionFour() {
        let machine = Machine.live(log: .silent)
        let texts = (0..<1000).map { _ in machine.makeUUID().uuidString }
        #expect(Set(texts).count == texts.count)
        for text in texts {
            let digits = Array(text)
            #expect(digits[14] == "4" && "89AB".contains(digits[19]), "\(text)")
        }
        // Every other digit takes every value.
        let places = (0..<36).filter { ![8, 13, 14, 18, 19, 23].contains($0) }
        for place in places { #expect(Set(texts.map { Array($0)[place] }).count == 16, "digit \(place)") }
    }
}
