/// Finds the operation of a request by comparing its path with every route, segment by segment.
package enum Router {
    package enum Match: Equatable, Sendable {
        /// The operation, and what stood for `{id}`.
        case operation(Operation, id: String?)
        /// The path exists with other methods.
        case methodNotAllowed([Request.Method])
        case notFound
    }

    package static func match(_ method: Request.Method, _ path: String) -> Match {
        var others: [Request.Method] = []
        for operation in Operation.allCases {
            let route = operation.route
            guard let id = compare(path, with: route.path) else { continue }
            if route.method == method { return .operation(operation, id: id.isEmpty ? nil : id) }
            others.append(route.method)
        }
        return others.isEmpty ? .notFound : .methodNotAllowed(others)
    }

    /// The methods that a path takes; none where there is no such path.
    package static func methods(at path: String) -> [Request.Method] {
        Operation.allCases.map(\.route).filter { compare(path, with: $0.path) != nil }.map(\.method)
    }

    /// What stands for `{id}`, empty where the route has none; nil where the path is another.
    private static func compare(_ path: String, with template: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let wanted = template.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == wanted.count else { return nil }
        var id = ""
        for (part, want) in zip(parts, wanted) {
            if want == "{id}", part.utf8.count == 36 { id = String(part) } else if part != want { return nil }
        }
        return id
    }
}
