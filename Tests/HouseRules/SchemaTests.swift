import Control
import PhotoModel
import Testing

/// The schemas of docs/openapi.yaml say what the API's values are, and its examples are such values.
struct SchemaTests {
    private let api: OpenAPI

    init() throws { api = try OpenAPI(parsing: try SourceTree.file("docs/openapi.yaml").text) }

    @Test(arguments: schemaSamples)
    func aSchemaHasTheKeysOfItsValue(sample: SchemaSample) throws {
        let schema = try #require(api.schema(sample.schema))
        #expect(Set(schema["properties"]?.keys ?? []) == sample.properties)
        #expect(Set(schema["required"]?.items.compactMap(\.string) ?? []) == sample.required)
    }

    /// A schema without a sample could say anything.
    @Test func everyObjectHasASample() {
        let objects = api.document["components"]?["schemas"]?.entries.filter { $0.value["properties"] != nil } ?? []
        // These have no value of their own in Control: lines of streams, and an answer of the daemon's.
        let others: Set = ["PlanLine", "ReloadResult"]
        #expect(Set(objects.map(\.key)).subtracting(schemaSamples.map(\.schema)) == others)
    }

    @Test(arguments: [
        ("Outcome", Outcome.allCases.map(\.rawValue)), ("Reason", Reason.allCases.map(\.rawValue)),
        ("MediaType", MediaType.allCases.map(\.rawValue)), ("AssetState", AssetState.allCases.map(\.rawValue)),
        ("CreationDateSource", CreationDateSource.allCases.map(\.rawValue)),
        ("Residency", Residency.allCases.map(\.rawValue)), ("Condition", Condition.allCases.map(\.rawValue)),
        ("TrashReason", TrashReason.allCases.map(\.rawValue)),
        ("MappingState", MappingState.allCases.map(\.rawValue)),
        ("UnsafeReason", UnsafeReason.allCases.map(\.rawValue)),
        ("VerifyFinding", VerifyFinding.allCases.map(\.rawValue)),
        ("HistorySide", HistorySide.allCases.map(\.rawValue)),
        ("RepairOutcome", RepairRow.Outcome.allCases.map(\.rawValue)),
        ("Transfer", Transfer.allCases.map(\.rawValue)), ("AlbumTier", AlbumTier.allCases.map(\.rawValue)),
        ("CloudOutcome", CloudRow.Outcome.allCases.map(\.rawValue)),
        ("CaptureDateSource", CaptureDateSource.allCases.map(\.rawValue)),
        ("SmartAlbum", SmartAlbum.allCases.map(\.rawValue)),
    ])
    func aClosedListIsWhole(name: String, words: [String]) {
        #expect(Set(api.schema(name)?["enum"]?.items.compactMap(\.string) ?? []) == Set(words))
    }

    @Test(arguments: [
        ("FolderRequest", "onAlbumMissing", FolderRule.MissingAlbum.allCases.map(\.rawValue)),
        ("FolderRequest", "albums", FolderRule.Albums.allCases.map(\.rawValue)),
        ("FolderRequest", "mode", FolderRule.Mode.allCases.map(\.rawValue)),
        ("FolderRequest", "watch", FolderRule.Watch.allCases.map(\.rawValue)),
        ("FolderRequest", "onSourceDeleted", FolderRule.OnSourceDeleted.allCases.map(\.rawValue)),
        ("FolderRequest", "onAssetDeleted", FolderRule.OnAssetDeleted.allCases.map(\.rawValue)),
        ("FolderRequest", "creationDate", FolderRule.CreationDate.allCases.map(\.rawValue)),
        ("ZoneProof", "kind", ZoneProof.Kind.allCases.map(\.rawValue)),
        ("ClientChange", "change", ClientChange.Kind.allCases.map(\.rawValue)),
        ("CloudMoveRow", "move", CloudMoveRow.Move.allCases.map(\.rawValue)),
    ])
    func aClosedListWithinASchemaIsWhole(name: String, property: String, words: [String]) {
        let written = api.schema(name)?["properties"]?[property]?["enum"]?.items.compactMap(\.string) ?? []
        #expect(Set(written) == Set(words))
    }

    @Test(arguments: Operation.allCases)
    func anExampleIsAValueOfItsSchema(operation: Operation) throws {
        let contents = contents(of: try #require(api.operation(operation.rawValue)))
        for content in contents {
            guard let schema = content["schema"], let example = content["example"] else { continue }
            #expect(Schema(api: api).breaches(of: schema, by: example) == [])
        }
    }

    /// Every answer in JSON is shown once, as a real run gave it.
    @Test(arguments: Operation.allCases)
    func whatComesBackIsShown(operation: Operation) throws {
        let responses = try #require(api.operation(operation.rawValue)?["responses"])
        let success = try #require(responses.entries.first { $0.key.hasPrefix("2") })
        for content in success.value["content"]?.entries ?? [] where content.key.hasSuffix("json") {
            #expect(content.value["example"] != nil, "\(operation) \(success.key)")
        }
    }

    /// Request bodies and answers, whatever their type.
    private func contents(of operation: YAML) -> [YAML] {
        let bodies = [operation["requestBody"]] + (operation["responses"]?.entries ?? []).map(\.value)
        return bodies.flatMap { $0?["content"]?.entries.map(\.value) ?? [] }
    }
}

/// The judge of the examples can find fault.
struct SchemaRuleTests {
    private let sample = """
        components:
          schemas:
            A:
              type: object
              required: [a]
              properties:
                a:
                  type: integer
                b:
                  type: string
                  enum: [x, y]
                c:
                  type: array
                  items:
                    $ref: "#/components/schemas/B"
                d:
                  type: object
                  additionalProperties:
                    type: boolean
            B:
              oneOf:
                - type: string
                - type: number
        """

    @Test(arguments: ["a: 1", "a: 1\nb: x", "a: 1\nc: [x, 1.5]", "a: 1\nd:\n  z: true"])
    func aFittingValueBreaksNothing(value: String) throws { #expect(try breaches(by: value) == []) }

    @Test(arguments: [
        "b: x", "a: x", "a: 1\nb: z", "a: 1\nc: [true]", "a: 1\nd:\n  z: 1", "a: 1\ne: 2", "- a", "a: 1\nb: 2",
    ])
    func anotherValueBreaksIt(value: String) throws { #expect(try breaches(by: value).count == 1) }

    private func breaches(by value: String) throws -> [String] {
        let api = try OpenAPI(parsing: sample)
        return Schema(api: api).breaches(of: try #require(api.schema("A")), by: try YAML(parsing: value))
    }
}
