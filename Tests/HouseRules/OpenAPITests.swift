import Control
import Testing

/// docs/openapi.yaml says what the router does.
struct OpenAPITests {
    private let api: OpenAPI

    init() throws { api = try OpenAPI(parsing: try SourceTree.file("docs/openapi.yaml").text) }

    @Test func itHasEveryOperationAndNoOther() {
        let routes = Operation.allCases.map { operation in
            let route = operation.route
            return OpenAPI.Written(
                name: operation.rawValue, method: route.method.rawValue, path: route.path,
                access: route.access.rawValue)
        }
        #expect(Set(api.operations).symmetricDifference(routes) == [])
        #expect(api.operations.count == routes.count)
    }

    @Test(arguments: Operation.allCases)
    func anOperationIsDescribedInFull(operation: Operation) throws {
        let written = try #require(api.operation(operation.rawValue))
        #expect(api.gaps(in: written, at: operation.route.path) == [])
    }

    @Test(arguments: Operation.allCases)
    func itsQueryIsWhatTheOperationTakes(operation: Operation) throws {
        let written = try #require(api.operation(operation.rawValue))
        #expect(Set(api.queryKeys(of: written)) == Set(operation.queryKeys))
    }

    @Test func everyReferenceLeadsSomewhere() { #expect(api.brokenReferences == []) }

    @Test func everySchemaIsUsed() { #expect(api.unusedSchemas == []) }
}

/// The rules above can fail.
struct OpenAPIRuleTests {
    private let sample = """
        paths:
          /v1/a/{id}:
            get:
              operationId: a
              summary: It gives an a.
              x-access: read
              parameters:
                - $ref: "#/components/parameters/id"
              responses:
                "200":
                  description: The a.
                default:
                  $ref: "#/components/responses/Problem"
        components:
          parameters:
            id:
              name: id
          responses:
            Problem:
              description: No.
          schemas:
            A:
              type: string
        """

    @Test func anOperationIsRead() throws {
        let api = try OpenAPI(parsing: sample)
        #expect(api.operations == [OpenAPI.Written(name: "a", method: "GET", path: "/v1/a/{id}", access: "read")])
        #expect(api.gaps(in: try #require(api.operation("a")), at: "/v1/a/{id}") == [])
        #expect(api.brokenReferences == [])
        #expect(api.unusedSchemas == ["A"])
    }

    @Test(arguments: [
        ("summary: It gives an a.", "summary: a"), ("\"200\":", "\"404\":"), ("default:", "\"500\":"),
        ("\"#/components/parameters/id\"", "\"#/components/parameters/after\""),
    ])
    func aGapIsFound(text: String, change: String) throws {
        let api = try OpenAPI(parsing: sample.replacing(text, with: change))
        #expect(api.gaps(in: try #require(api.operation("a")), at: "/v1/a/{id}").count == 1)
    }

    @Test func aReferenceToNothingIsFound() throws {
        let api = try OpenAPI(parsing: sample.replacing("responses/Problem", with: "responses/Trouble"))
        #expect(api.brokenReferences == ["#/components/responses/Trouble"])
    }
}
