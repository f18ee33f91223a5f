import SQLite
import Testing

@Suite struct ValueTests {
    @Test(arguments: [
        Value.null, .integer(0), .integer(.max), .integer(.min), .real(-0.5), .real(1e300),
        .text(""), .text("short"), .text("Zürich – 東京 📷 and longer than fifteen bytes"), .text("a\0b"),
        .blob([]), .blob([0, 255, 10]),
    ])
    func aBoundValueComesBackAsItWas(_ value: Value) throws {
        try withDatabase { database throws in
            try database.execute("CREATE TABLE item (content ANY) STRICT")
            try database.run("INSERT INTO item VALUES (?)", value)
            #expect(try database.first("SELECT content FROM item") { row in row.value(0) } == value)
        }
    }

    @Test func anEmptyBlobAndAnEmptyTextAreNotNull() throws {
        try withDatabase { database throws in
            let types = try database.first("SELECT typeof(?), typeof(?), typeof(?)", .blob([]), "", nil) { row in
                [row.text(0), row.text(1), row.text(2)]
            }
            #expect(types == ["blob", "text", "null"])
        }
    }

    @Test func composedAndDecomposedTextStayTwoValues() throws {
        try withDatabase { database throws in
            #expect(try database.number("SELECT 'e\u{301}' = '\u{E9}'") == 0)
            let bytes = try database.first("SELECT CAST(? AS BLOB)", "e\u{301}") { row in row.blob(0) }
            #expect(bytes == [0x65, 0xCC, 0x81])
        }
    }

    @Test func nilBecomesNullAndIsReadAsNil() throws {
        try withDatabase { database throws in
            let missing: String? = nil
            let row = try database.first("SELECT ?, ?, ?, ?", Value(missing), Value(3 as Int?), true, 2.5) { row in
                (row.textIfPresent(0), row.intIfPresent(1), row.bool(2), row.realIfPresent(3))
            }
            #expect(row?.0 == nil)
            #expect(row?.1 == 3)
            #expect(row?.2 == true)
            #expect(row?.3 == 2.5)
        }
    }

    @Test func aLargeBlobComesBackWhole() throws {
        let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        try withDatabase { database throws in
            #expect(try database.first("SELECT ?", .blob(large)) { row in row.blob(0) } == large)
        }
    }

    @Test func aBlobCanBeReadInPlace() throws {
        try withDatabase { database throws in
            let sum = try database.first("SELECT x'010203'") { row in
                row.withBlob(0) { bytes in bytes.reduce(0) { $0 + Int($1) } }
            }
            #expect(sum == 6)
        }
    }

    @Test(arguments: ["SELECT NULL AS title", "SELECT 1 AS title", "SELECT x'41' AS title"])
    func aColumnOfAnotherTypeIsAnErrorAndNotAnEmptyValue(_ sql: String) throws {
        try withDatabase { database throws in
            let error = #expect(throws: DatabaseError.self) { try database.first(sql) { row in row.text(0) } }
            #expect(error?.message.contains("column 0 (title) is") == true)
            #expect(error?.sql == sql)
            #expect(try database.number("SELECT 1") == 1)
        }
    }

    @Test func aColumnBeyondTheLastIsAnError() throws {
        try withDatabase { database throws in
            let error = #expect(throws: DatabaseError.self) { try database.first("SELECT 1") { row in row.int(1) } }
            #expect(error?.message == "column 1 (beyond the last) is NULL, not INTEGER")
        }
    }
}
