/// The modules from the ground up and what each may import: the design's table, as far as the modules exist.
///
/// Arrows go down only. A module that comes is written here first, with its sentence in README's map.
let moduleTable: [(name: String, mayImport: Set<String>)] = [
    ("Platform", ["CLinux", "CCrypto"]),
    ("PhotoModel", []),
    ("MediaFacts", []),
    ("MediaBytes", []),
    ("MediaContainers", ["MediaFacts", "MediaBytes"]),
    (
        "albumd-media",
        ["MediaContainers", "MediaFacts", "MediaBytes", "CLinux", "CVips", "CExif", "CExempi", "CAVFormat", "CRaw"]
    ),
    ("SQLite", ["CSQLite"]),
    ("PhotoStore", ["PhotoModel", "SQLite", "Platform"]),
    ("Media", ["PhotoModel", "MediaFacts", "MediaBytes", "Platform", "CMagic"]),
    ("Importing", ["PhotoStore", "Media", "PhotoModel", "Platform", "CInotifyTools"]),
    ("Cloud", ["PhotoStore", "PhotoModel", "Platform"]),
    ("HTTPClient", ["Platform", "CCurl"]),
    ("Control", ["PhotoModel"]),
    ("ControlServer", ["Control", "Platform", "CMicroHTTPD"]),
    (
        "Daemon",
        [
            "Cloud", "Importing", "PhotoStore", "Media", "MediaFacts", "ControlServer", "Control", "PhotoModel",
            "SQLite", "Platform", "CSystemd", "CTOML",
        ]
    ),
    ("albumd", ["Daemon"]),
    ("albumctl", ["Control", "HTTPClient", "PhotoModel", "Platform"]),
]

/// What comes with the toolchain; everybody may import it.
let toolchain: Set<String> = ["FoundationEssentials", "Glibc", "Synchronization", "Dispatch"]

/// A C library that two modules import, with the reason.
let sharedCLibraries = ["CLinux": "albumd-media locks itself in, and must not load what else Platform links"]

/// A C library that a test target uses, too, with the reason.
let testsUsingCLibraries = [
    "TestSupport": ["CSQLite": "the simulated disk is given to SQLite as a VFS"]
]

/// What an import breaks, or nil.
///
/// `module` is the directory below Sources or Tests.
func complaint(module: String, imports name: String) -> String? {
    if let entry = moduleTable.first(where: { $0.name == module }) {
        let isAllowed = toolchain.contains(name) || entry.mayImport.contains(name)
        return isAllowed ? nil : "\(module) may not import \(name)"
    }
    guard isCLibrary(name), testsUsingCLibraries[module]?[name] == nil else { return nil }
    return "\(module) may not import the C library \(name)"
}

/// C libraries begin with C and a second capital: `CSQLite`, `CTOML`.
func isCLibrary(_ name: String) -> Bool {
    let first = name.prefix(2)
    return first.count == 2 && first.first == "C" && first.allSatisfy(\.isUppercase)
}

/// The modules that a file imports, with their lines from 1.
func imports(in text: SwiftText) -> [(name: String, line: Int)] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"]
    return text.code.enumerated().compactMap { index, line in
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"),
            words[..<place].allSatisfy({ $0.first == "@" || ["package", "public", "internal", "private"].contains($0) }
            ),
            let name = words[(place + 1)...].first(where: { !kinds.contains($0) })
        else { return nil }
        return (String(name.prefix { $0 != "." && $0 != ";" }), index + 1)
    }
}
