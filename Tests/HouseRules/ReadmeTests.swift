import Testing

/// README.md says what is there.
struct ReadmeTests {
    private let readme: Readme

    init() throws { readme = Readme(text: try SourceTree.file("README.md").text) }

    @Test func theMapNamesEveryModuleAndNoOther() throws {
        let named = readme.rows(below: "## Modules").compactMap(\.first).flatMap { $0 }
        #expect(Set(named) == Set(try SourceTree.directories(in: "Sources")))
        #expect(named.count == Set(named).count)
    }

    @Test func aModuleStandsBelowWhatItImports() {
        let order = readme.rows(below: "## Modules").compactMap(\.first).flatMap { $0 }
        for entry in moduleTable {
            let place = order.firstIndex(of: entry.name) ?? 0
            #expect(entry.mayImport.allSatisfy { order[..<place].contains($0) }, "\(entry.name)")
        }
    }

    @Test func itsSettingsEqualTheExample() throws {
        let rows = readme.rows(below: "## Configuration")
        let told = Dictionary(rows.compactMap { row in row[0].first.map { ($0, row[1].first ?? "") } }) { $1 }
        #expect(told == settings(in: try SourceTree.file("config/albumd.toml").text))
    }

    @Test func itsLinksLeadToFiles() throws {
        #expect(readme.links.contains("LICENSE"))
        for link in readme.links {
            #expect(throws: Never.self, "\(link)") { try SourceTree.file(link) }
        }
    }

    @Test func whatItMakesTheMakefileHas() throws {
        let makefile = try SourceTree.file("Makefile").text
        #expect(readme.makeTargets.isSuperset(of: ["run", "test", "install"]))
        for target in readme.makeTargets { #expect(makefile.contains("\n\(target):"), "make \(target)") }
    }
}

/// The reader of the rules above.
struct ReadmeReaderTests {
    private let readme = Readme(
        text: """
            # a
            ## Modules
            | module | holds |
            |---|---|
            | `A` | one |
            | `B` `C` | `two` |
            ### More
            | `D` | |
            ## Else
            | `E` | |
            See [this](docs/a.md), [that](https://example.org/b), `make a`, and
                sudo make b PREFIX=/c
            made by `makers d`
            """)

    @Test func tablesAreRead() {
        let rows = readme.rows(below: "## Modules")
        #expect(rows == [[[], []], [["A"], []], [["B", "C"], ["two"]], [["D"], []]])
    }

    @Test func linksAndTargetsAreRead() {
        #expect(readme.links == ["docs/a.md"])
        #expect(readme.makeTargets == ["a", "b"])
    }

    @Test func settingsAreRead() {
        #expect(settings(in: "# a = 1\nb = \"x = y\"\n[[c]]\nd = [1]\n") == ["b": "\"x = y\"", "d": "[1]"])
    }
}
