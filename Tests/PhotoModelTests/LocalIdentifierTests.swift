import FoundationEssentials
import PhotoModel
import Testing

@Suite struct LocalIdentifierTests {
    private let uuid = "6AA5251E-0A0B-4C0D-8E0F-001122334455"

    @Test(arguments: ["", "/L0/001"])
    func theWholeIdentifierAndItsBareUUIDAreTheSame(suffix: String) throws {
        let identifier = try #require(LocalIdentifier(uuid + suffix))
        #expect(identifier.description == uuid + "/L0/001")
        #expect(identifier.uuid.uuidString == uuid)
    }

    @Test func digitsMayBeInLowerCase() throws {
        #expect(LocalIdentifier(uuid.lowercased()) == LocalIdentifier(uuid))
    }

    @Test(
        arguments: [
            "", "/L0/001", "6AA5251E", "6AA5251E-0A0B-4C0D-8E0F-00112233445",
            "6AA5251E-0A0B-4C0D-8E0F-001122334455/L0/002",
            "6AA5251E-0A0B-4C0D-8E0F-001122334455/L0/001/L0/001", " 6AA5251E-0A0B-4C0D-8E0F-001122334455",
            "6AA5251E-0A0B-4C0D-8E0F-001122334455/", "GAA5251E-0A0B-4C0D-8E0F-001122334455",
            "{6AA5251E-0A0B-4C0D-8E0F-001122334455}",
        ])
    func anythingElseIsNoIdentifier(text: String) {
        #expect(LocalIdentifier(text) == nil)
    }

    @Test func jsonCarriesTheWholeIdentifier() throws {
        let identifier = try #require(LocalIdentifier(uuid))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let data = try encoder.encode([identifier])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(uuid)/L0/001\"]")
        #expect(try JSONDecoder().decode([LocalIdentifier].self, from: data) == [identifier])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([LocalIdentifier].self, from: Data("[\"x\"]".utf8))
        }
    }
}
