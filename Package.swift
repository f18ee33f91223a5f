// swift-tools-version: 6.2
import PackageDescription

// Modules from the ground up; arrows go down only. The table is DESIGN in short: README's
// module map says what each holds, and Tests/HouseRules holds the imports against this list.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "albumd",
    products: [
        .executable(name: "albumd", targets: ["albumd"]),
        .executable(name: "albumctl", targets: ["albumctl"]),
    ],
    targets: [
        // C libraries: a module map and a shim each.
        .target(name: "CLinux"),
        .target(name: "CTOML", cxxSettings: [.unsafeFlags(["-std=c++17"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CMagic", pkgConfig: "libmagic", providers: [.apt(["libmagic-dev"])]),

        // The ground: the machine, and the values.
        module("Platform", ["CLinux", "CCrypto"]),
        module("PhotoModel", []),
        module("SQLite", ["CSQLite"]),
        module("MediaFacts", []),

        // The library and what fills it.
        module("PhotoStore", ["PhotoModel", "SQLite", "Platform"]),
        module("Media", ["PhotoModel", "MediaFacts", "Platform", "CMagic"]),
        module("Importing", ["PhotoStore", "Media", "PhotoModel", "Platform", "CInotifyTools"]),

        // Where originals go when the disk is small.
        module("Cloud", ["PhotoStore", "PhotoModel", "Platform"]),

        // How others reach it.
        module("HTTPClient", ["Platform", "CCurl"]),
        module("Control", ["PhotoModel"]),
        module("ControlServer", ["Control", "Platform", "CMicroHTTPD"]),

        // The programs.
        module(
            "Daemon",
            [
                "Cloud", "Importing", "PhotoStore", "Media", "ControlServer", "Control", "PhotoModel", "SQLite",
                "Platform", "CSystemd", "CTOML",
            ]),
        .executableTarget(name: "albumd", dependencies: ["Daemon"], swiftSettings: strict),
        .executableTarget(
            name: "albumctl", dependencies: ["Control", "HTTPClient", "PhotoModel", "Platform"], swiftSettings: strict),

        // Tests mirror the modules.
        .target(
            name: "TestSupport", dependencies: ["Platform", "PhotoModel", "CSQLite"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "EngineSupport",
            dependencies: ["Importing", "PhotoStore", "Media", "PhotoModel", "Platform", "SQLite", "TestSupport"],
            path: "Tests/EngineSupport", swiftSettings: strict),
        tests("PlatformTests", ["Platform", "TestSupport"]),
        tests("PhotoModelTests", ["PhotoModel", "Platform", "TestSupport"]),
        tests("SQLiteTests", ["SQLite", "TestSupport"]),
        tests("PhotoStoreTests", ["PhotoStore", "SQLite", "PhotoModel", "Platform", "TestSupport"]),
        tests("MediaTests", ["Media", "MediaFacts", "PhotoModel", "Platform", "TestSupport"]),
        tests(
            "ImportingTests",
            ["Importing", "PhotoStore", "Media", "PhotoModel", "Platform", "SQLite", "TestSupport", "EngineSupport"]),
        tests(
            "SimulationTests",
            [
                "Daemon", "Control", "Cloud", "Importing", "Media", "PhotoStore", "PhotoModel", "Platform", "SQLite",
                "TestSupport", "EngineSupport",
            ]),
        tests("CloudTests", ["Cloud", "PhotoStore", "PhotoModel", "Platform", "SQLite", "TestSupport"]),
        tests("ControlTests", ["Control", "PhotoModel"]),
        tests("ControlServerTests", ["ControlServer", "HTTPClient", "Control", "Platform", "TestSupport"]),
        tests(
            "DaemonTests",
            [
                "Daemon", "Cloud", "Importing", "PhotoStore", "SQLite", "TestSupport", "Platform", "PhotoModel",
                "Control",
            ]),
        tests("albumctlTests", ["albumctl", "ControlServer", "Control", "PhotoModel", "Platform", "TestSupport"]),
        tests(
            "IntegrationTests",
            ["HTTPClient", "Control", "PhotoModel", "Platform", "SQLite", "PhotoStore", "TestSupport"]),
        tests("HouseRules", ["Control", "PhotoModel", "Platform"]),
    ]
)
