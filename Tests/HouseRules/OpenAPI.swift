import Control
import Testing

/// docs/openapi.yaml as the rules see it.
struct OpenAPI {
    let document: YAML

    init(parsing text: String) throws { document = try YAML(parsing: text) }

    /// One operation as it is written down.
    struct Written: Equatable, Hashable, CustomStringConvertible {
        var name: String
        var method: String
        var path: String
        var access: String

        var description: String { "\(name): \(method) \(path), \(access)" }
    }

    var operations: [Written] {
        all.map { path, method, operation in
            Written(
                name: operation["operationId"]?.string ?? "", method: method.uppercased(), path: path,
                access: operation["x-access"]?.string ?? "")
        }
    }

    /// Every operation with its path and method.
    var all: [(path: String, method: String, operation: YAML)] {
        (document["paths"]?.entries ?? []).flatMap { path in
            path.value.entries.map { (path.key, $0.key, $0.value) }
        }
    }

    func operation(_ name: String) -> YAML? { all.first { $0.operation["operationId"]?.string == name }?.operation }

    func schema(_ name: String) -> YAML? { document["components"]?["schemas"]?[name] }

    /// References that lead nowhere.
    var brokenReferences: [String] { references(in: document).filter { !leadsSomewhere($0) } }

    /// Schemas that nothing refers to.
    var unusedSchemas: Set<String> {
        let names = Set(document["components"]?["schemas"]?.keys ?? [])
        return names.subtracting(references(in: document).map { String($0.split(separator: "/").last ?? "") })
    }

    /// What is missing in an operation for a reader to use it.
    func gaps(in operation: YAML, at path: String) -> [String] {
        var gaps: [String] = []
        if operation["summary"]?.string?.hasSuffix(".") != true { gaps.append("no sentence as its summary") }
        let responses = operation["responses"]
        if responses?.keys.contains(where: { $0.hasPrefix("2") }) != true { gaps.append("no answer for success") }
        if responses?["default"]?["$ref"]?.string != "#/components/responses/Problem" { gaps.append("no problem") }
        let parameters = operation["parameters"]?.items.compactMap { $0["$ref"]?.string } ?? []
        let hasID = parameters.contains("#/components/parameters/id")
        if path.contains("{id}") != hasID { gaps.append("its path and its parameters disagree about {id}") }
        return gaps
    }

    /// The keys of the query that the operation is written to take.
    func queryKeys(of operation: YAML) -> [String] {
        let parameters = document["components"]?["parameters"]
        return (operation["parameters"]?.items ?? []).compactMap { parameter in
            let name = parameter["$ref"]?.string.flatMap { $0.split(separator: "/").last }.map(String.init)
            let whole = name.flatMap { parameters?[$0] } ?? parameter
            return whole["in"]?.string == "query" ? whole["name"]?.string : nil
        }
    }

    private func references(in value: YAML) -> [String] {
        switch value {
        case .map(let entries):
            entries.flatMap { $0.key == "$ref" ? [$0.value.string ?? ""] : references(in: $0.value) }
        case .list(let items): items.flatMap(references)
        case .text, .literal: []
        }
    }

    private func leadsSomewhere(_ reference: String) -> Bool {
        guard reference.hasPrefix("#/") else { return false }
        var value: YAML? = document
        for part in reference.dropFirst(2).split(separator: "/") { value = value?[String(part)] }
        return value != nil
    }
}
