import Testing

/// The reader that the other rules look through.
struct SwiftTextTests {
    @Test func codeCommentsAndStringsAreToldApart() {
        let text = SwiftText(#"let a = "print(" // try! it"#)
        #expect(text.code[0].hasPrefix("let a = ") && text.code[0].split(separator: " ").count == 3)
        #expect(text.strings[0].contains("\"print(\""))
        #expect(text.comments[0].contains("// try! it"))
        #expect(!text.code[0].contains("print") && !text.code[0].contains("try!"))
    }

    @Test func codeWithinAStringIsCode() {
        let text = SwiftText(#"let a = "at \(f(Date(), "UUID()")) SELECT""#)
        #expect(text.code[0].contains("f(Date(), "))
        #expect(!text.code[0].contains("UUID") && !text.code[0].contains("SELECT"))
        #expect(text.strings[0].contains("UUID()") && text.strings[0].contains("SELECT"))
    }

    @Test(arguments: [
        ##"let a = #"\("no code")"#; print(1)"##, "let a = \"\"\"\n  \"no\" code\n  \"\"\"; print(1)",
        "/* no /* code */ code */ print(1)", #"let a = "\"no code"; print(1)"#,
    ])
    func whatFollowsAStringOrCommentIsCodeAgain(text: String) {
        let code = SwiftText(text).code.joined(separator: "\n")
        #expect(code.contains("print(1)") && !code.contains("no"))
    }

    @Test func linesStayWhereTheyAre() {
        let text = SwiftText("a\n/*\n*/\n\"\"\"\n\"\"\"\nb")
        for lines in [text.code, text.comments, text.strings] { #expect(lines.count == 6) }
        #expect(text.code[5] == "b")
    }
}
