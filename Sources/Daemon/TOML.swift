import CTOML

/// One value of a TOML text, with its key and its place, so that a message can point at it.
struct TOMLNode {
    enum Value {
        case table([TOMLNode])
        case array([TOMLNode])
        case string(String)
        case boolean(Bool)
        /// A kind that no key of ours takes: a number or a time.
        case other
    }

    var key: String
    var value: Value
    /// From 1; a column counts characters.
    var line: Int
    var column: Int
    var keyColumn: Int
    /// The value as it is written, one line.
    var source: String
}

extension TOMLNode {
    /// Reads a whole text; throws one problem, because the parser stops at the first fault.
    init(parsing text: [UInt8], file: String) throws(ConfigurationError) {
        try TOMLNode.requireUTF8(text, file)
        var fault = CTOMLError()
        let document = text.withUnsafeBytes { bytes in
            // An empty array has no address; one byte that is not read stands in for it.
            bytes.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map { ctoml_parse($0, chars.count, file, &fault) } ?? ctoml_parse("", 0, file, &fault)
            }
        }
        guard let document else {
            throw ConfigurationError(file: file, line: Int(fault.line), column: Int(fault.column), fault.sentence)
        }
        defer { ctoml_free(document) }
        self.init(copying: ctoml_root(document))
    }

    private static func requireUTF8(_ text: [UInt8], _ file: String) throws(ConfigurationError) {
        do {
            _ = try UTF8Span(validating: text.span)
        } catch {
            let before = text[..<error.byteOffsets.lowerBound]
            let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            throw ConfigurationError(
                file: file, line: before.count { $0 == UInt8(ascii: "\n") } + 1,
                column: String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1,
                "these bytes are not UTF-8, which a TOML file must be; save the file as UTF-8")
        }
    }

    private init(copying node: OpaquePointer) {
        key = String(ctoml_key(node))
        line = Int(ctoml_line(node))
        column = Int(ctoml_column(node))
        keyColumn = Int(ctoml_key_column(node))
        source = String(ctoml_source(node))
        let children = (0..<ctoml_child_count(node)).map { TOMLNode(copying: ctoml_child(node, $0)) }
        value =
            switch ctoml_kind(node) {
            case CTOMLKindTable: .table(children)
            case CTOMLKindArray: .array(children)
            case CTOMLKindString: .string(String(ctoml_string(node)))
            case CTOMLKindBoolean: .boolean(ctoml_boolean(node))
            default: .other
            }
    }
}

extension String {
    fileprivate init(_ text: CTOMLText) {
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
        self.init(decoding: bytes, as: UTF8.self)
    }
}

extension CTOMLError {
    /// The message up to its zero byte.
    fileprivate var sentence: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
