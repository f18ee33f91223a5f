/// The daily verbs. Arguments are bound in order; SQL is never put together from values.
extension Connection {
    /// Runs one statement to its end.
    package func run(_ sql: String, _ arguments: Value...) throws(DatabaseError) {
        try prepare(sql).run(arguments)
    }

    package func run(_ sql: String, _ arguments: [Value]) throws(DatabaseError) {
        try prepare(sql).run(arguments)
    }

    /// Calls `body` with each row, in order; what it throws ends the query.
    package func query(
        _ sql: String, _ arguments: Value..., row body: (borrowing Row) throws -> Void
    ) throws {
        try prepare(sql).query(arguments, row: body)
    }

    package func query(
        _ sql: String, _ arguments: [Value], row body: (borrowing Row) throws -> Void
    ) throws {
        try prepare(sql).query(arguments, row: body)
    }

    /// What `body` makes of the first row, nil where there is none; the rest is not read.
    package func first<T>(
        _ sql: String, _ arguments: Value..., row body: (borrowing Row) throws -> T
    ) throws -> T? {
        try prepare(sql).first(arguments, row: body)
    }

    /// What `body` makes of each row, in order.
    package func all<T>(
        _ sql: String, _ arguments: Value..., row body: (borrowing Row) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        try prepare(sql).query(arguments) { row in result.append(try body(row)) }
        return result
    }
}
