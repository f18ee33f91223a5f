/// What a value breaks of a JSON schema, in the part of JSON Schema that docs/openapi.yaml uses.
///
/// Stricter than the standard: a key that the schema does not name is a breach, or examples would rot.
struct Schema {
    let api: OpenAPI

    func breaches(of schema: YAML, by value: YAML, at place: String = "example") -> [String] {
        // The empty schema takes everything.
        if schema.entries.isEmpty { return [] }
        if let reference = schema["$ref"]?.string {
            guard let named = api.schema(String(reference.split(separator: "/").last ?? "")) else {
                return ["\(place): \(reference) leads nowhere"]
            }
            return breaches(of: named, by: value, at: place)
        }
        if let choices = schema["oneOf"]?.items {
            let fits = choices.filter { breaches(of: $0, by: value).isEmpty }.count
            return fits == 1 ? [] : ["\(place): fits \(fits) of the choices"]
        }
        guard isOfType(schema["type"]?.string, value) else {
            return ["\(place): \(value.json) is no \(schema["type"]?.string ?? "")"]
        }
        if let words = schema["enum"]?.items, !words.contains(value) { return ["\(place): \(value.json) is no choice"] }
        return breachesOfParts(of: schema, by: value, at: place)
    }

    private func breachesOfParts(of schema: YAML, by value: YAML, at place: String) -> [String] {
        switch value {
        case .list(let items):
            guard let each = schema["items"] else { return ["\(place): nothing says what is in the list"] }
            return items.enumerated().flatMap { breaches(of: each, by: $1, at: "\(place)[\($0)]") }
        case .map(let entries):
            let required = schema["required"]?.items.compactMap(\.string) ?? []
            let missing = required.filter { value[$0] == nil }.map { "\(place): '\($0)' is missing" }
            return missing + entries.flatMap { breaches(of: schema, by: $0, at: place) }
        case .text, .literal: return []
        }
    }

    private func breaches(of schema: YAML, by entry: YAML.Entry, at place: String) -> [String] {
        let below = "\(place).\(entry.key)"
        if let property = schema["properties"]?[entry.key] { return breaches(of: property, by: entry.value, at: below) }
        if let rest = schema["additionalProperties"] { return breaches(of: rest, by: entry.value, at: below) }
        return ["\(below): no property has this name"]
    }

    private func isOfType(_ type: String?, _ value: YAML) -> Bool {
        switch (type, value) {
        case ("object", .map), ("array", .list), ("string", .text), (nil, _): true
        case ("boolean", .literal(let word)): word == "true" || word == "false"
        case ("integer", .literal(let word)): Int64(word) != nil
        case ("number", .literal(let word)): Double(word) != nil
        default: false
        }
    }
}
