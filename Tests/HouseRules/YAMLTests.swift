import Testing

/// The reader that the rules of docs/openapi.yaml look through.
struct YAMLTests {
    @Test(arguments: [
        ("a: 1", #"{"a":1}"#), ("a: x y", #"{"a":"x y"}"#), ("\"200\": true", #"{"200":true}"#),
        ("a:\n  b: c\n  d: [e, f]", #"{"a":{"b":"c","d":["e","f"]}}"#),
        ("a:\n  - b: 1\n    c: 2\n  - d", #"{"a":[{"b":1,"c":2},"d"]}"#),
        ("# no\na: >-\n  one\n  two\nb: {}", #"{"a":"one two","b":{}}"#),
        (#"a: "x: \"y\" # z""#, #"{"a":"x: \"y\" # z"}"#),
        ("a: 2026-11-30T02:01:09Z", #"{"a":"2026-11-30T02:01:09Z"}"#),
        ("$ref: \"#/a/b\"", ##"{"$ref":"#/a/b"}"##), ("a: -5", #"{"a":-5}"#), ("- a\n- b", #"["a","b"]"#),
    ])
    func aDocumentIsRead(text: String, json: String) throws {
        #expect(try YAML(parsing: text).json == json)
    }

    @Test(arguments: [
        "a: 1\n   b: 2", "a: 1\na: 2", "a: b: c", "a: \"b", "a: {b: 1}", "a:", "a\nb", "a: x # y", "a: |\n  x",
        "a: 'x'",
        "a: [b, c", "a: \"\\x\"",
    ])
    func whatIsNotUnderstoodIsAFault(text: String) {
        #expect(throws: YAML.Fault.self) { try YAML(parsing: text) }
    }

    @Test func aFaultNamesItsLine() {
        let fault = #expect(throws: YAML.Fault.self) { try YAML(parsing: "a: 1\n\nb: 'x'") }
        #expect(fault?.line == 3)
    }
}
