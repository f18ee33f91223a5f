import Testing

/// The graph of modules: as the table says it, in Package.swift and in every import.
struct ModuleTests {
    @Test func everyImportIsInTheTable() {
        let findings = SourceTree.swiftFiles.flatMap { file -> [Finding] in
            guard let module = module(of: file.path) else { return [] }
            return imports(in: file.swift).compactMap { name, line in
                complaint(module: module, imports: name).map { Finding(path: file.path, line: line, message: $0) }
            }
        }
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
    }

    @Test func thePackageDependsAsTheTableAllows() throws {
        let targets = try targets()
        for entry in moduleTable {
            let dependencies = try #require(targets[entry.name], "Package.swift has no target \(entry.name)")
            #expect(dependencies.subtracting(entry.mayImport) == [], "\(entry.name) depends on more")
        }
    }

    /// SwiftPM lets a module be imported that only a dependency depends on.
    @Test func whatAModuleImportsItDependsOn() throws {
        let targets = try targets()
        for file in SourceTree.swiftFiles {
            guard let module = module(of: file.path), let dependencies = targets[module] else { continue }
            for (name, line) in imports(in: file.swift) where targets[name] != nil {
                #expect(dependencies.contains(name), "\(file.path):\(line): \(module) does not depend on \(name)")
            }
        }
    }

    /// Those that are left out where a library is missing are read, too: the table holds in either case.
    private func targets() throws -> [String: Set<String>] {
        let manifest = try SourceTree.file("Package.swift").swift
        return packageTargets(in: manifest, of: "targets: [\n")
            .merging(packageTargets(in: manifest, of: "let worker: [Target] = [\n")) { first, _ in first }
    }

    @Test func everyDirectoryOfSourcesIsAModuleOfTheTableOrACLibrary() throws {
        let names = Set(moduleTable.map(\.name))
        for directory in try SourceTree.directories(in: "Sources") {
            #expect(names.contains(directory) || isCLibrary(directory), "\(directory) is in no table")
        }
    }

    @Test func aCLibraryIsImportedByOneModule() throws {
        let libraries = try SourceTree.directories(in: "Sources").filter(isCLibrary)
        for library in libraries {
            let expected = sharedCLibraries[library] == nil ? 1 : 2
            #expect(moduleTable.count { $0.mayImport.contains(library) } == expected, "\(library)")
        }
    }

    /// An arrow that goes up would be a circle some day.
    @Test func arrowsGoDownOnly() {
        var below: Set<String> = []
        for entry in moduleTable {
            #expect(entry.mayImport.filter { !isCLibrary($0) }.isSubset(of: below), "\(entry.name)")
            below.insert(entry.name)
        }
    }

    private func module(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : nil
    }
}

/// The rules above can fail.
struct ModuleRuleTests {
    @Test(arguments: [
        ("Control", "PhotoStore"), ("PhotoModel", "Platform"), ("Importing", "CSQLite"), ("albumctl", "Daemon"),
        ("PlatformTests", "CSQLite"), ("TestSupport", "CCurl"), ("PhotoModel", "Foundation"),
    ])
    func anImportAgainstTheTableIsFound(module: String, name: String) {
        #expect(complaint(module: module, imports: name) != nil)
    }

    @Test(arguments: [
        ("Control", "PhotoModel"), ("Platform", "CLinux"), ("TestSupport", "CSQLite"), ("PlatformTests", "Platform"),
        ("Daemon", "Glibc"),
    ])
    func anImportOfTheTableIsNot(module: String, name: String) {
        #expect(complaint(module: module, imports: name) == nil)
    }

    @Test(arguments: [
        ("import A", "A"), ("package import A", "A"), ("@testable import A", "A"), ("import struct A.B", "A"),
        ("private import A  // why", "A"),
    ])
    func anImportIsRead(line: String, name: String) {
        #expect(imports(in: SwiftText(line)).map(\.name) == [name])
    }

    @Test(arguments: ["// import A", #"let a = "import A""#, "let important = A", "func import_(a: A)"])
    func whatIsNoImportIsNotRead(line: String) {
        #expect(imports(in: SwiftText(line)).isEmpty)
    }

    @Test func aManifestIsRead() {
        let manifest = """
            func module(_ name: String, _ dependencies: [D]) -> T { .target(name: name, dependencies: dependencies) }
            targets: [
                .target(name: "CA"),
                .target(name: "CB", cxxSettings: [.unsafeFlags(["-std"])]),
                module("C", ["CA", "CB"]),
                .executableTarget(name: "d", dependencies: ["C"], swiftSettings: strict),
                module("E", []),
            ]
            """
        let targets = packageTargets(in: SwiftText(manifest), of: "targets: [\n")
        #expect(targets == ["CA": [], "CB": [], "C": ["CA", "CB"], "d": ["C"], "E": []])
    }
}
