// swift-tools-version: 6.2
import Glibc
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

// Where Debian and its kin keep the descriptions of libraries for development.
let descriptions = [
    "/usr/lib/x86_64-linux-gnu/pkgconfig", "/usr/lib/aarch64-linux-gnu/pkgconfig", "/usr/lib/pkgconfig",
    "/usr/lib64/pkgconfig", "/usr/share/pkgconfig", "/usr/local/lib/pkgconfig",
]

// The worker is built where every library that it reads media with is installed. Without them the rest is built and
// runs in full, and the daemon says that it cannot read facts. SwiftPM keeps what it made of this file until the file
// changes: after installing them, build once with `--manifest-cache none`, as the Makefile always does.
let canReadMedia = ["vips", "libexif", "exempi-2.0", "libavformat", "libavcodec", "libavutil", "libraw"].allSatisfy {
    name in descriptions.contains { access("\($0)/\(name).pc", R_OK) == 0 }
}

let worker: [Target] = [
    .systemLibrary(
        name: "CVips", pkgConfig: "glib-2.0 gobject-2.0", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(name: "CExempi", pkgConfig: "exempi-2.0", providers: [.apt(["libexempi-dev"])]),
    .systemLibrary(
        name: "CAVFormat", pkgConfig: "libavformat libavcodec libavutil",
        providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev"])]),
    .systemLibrary(name: "CRaw", providers: [.apt(["libraw-dev"])]),
    .executableTarget(
        name: "albumd-media",
        dependencies: [
            "MediaContainers", "MediaFacts", "MediaBytes", "CLinux", "CVips", "CExif", "CExempi", "CAVFormat", "CRaw",
        ], swiftSettings: strict),
]

let package = Package(
    name: "albumd",
    products: [
        .executable(name: "albumd", targets: ["albumd"]),
        .executable(name: "albumctl", targets: ["albumctl"]),
    ] + (canReadMedia ? [.executable(name: "albumd-media", targets: ["albumd-media"])] : []),
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
        module("MediaBytes", []),
        module("MediaContainers", ["MediaFacts", "MediaBytes"]),

        // The library and what fills it.
        module("PhotoStore", ["PhotoModel", "SQLite", "Platform"]),
        module("Media", ["PhotoModel", "MediaFacts", "MediaBytes", "Platform", "CMagic"]),
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
                "Cloud", "Importing", "PhotoStore", "Media", "MediaFacts", "ControlServer", "Control", "PhotoModel",
                "SQLite", "Platform", "CSystemd", "CTOML",
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
            dependencies: [
                "Importing", "PhotoStore", "Media", "MediaFacts", "PhotoModel", "Platform", "SQLite", "TestSupport",
            ],
            path: "Tests/EngineSupport", swiftSettings: strict),
        tests("PlatformTests", ["Platform", "TestSupport"]),
        tests("PhotoModelTests", ["PhotoModel", "Platform", "TestSupport"]),
        tests("SQLiteTests", ["SQLite", "TestSupport"]),
        tests("PhotoStoreTests", ["PhotoStore", "SQLite", "PhotoModel", "Platform", "TestSupport"]),
        tests("MediaContainersTests", ["MediaContainers", "MediaBytes", "MediaFacts", "Platform", "TestSupport"]),
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
                "Daemon", "Cloud", "Importing", "PhotoStore", "Media", "MediaFacts", "SQLite", "TestSupport",
                "Platform", "PhotoModel", "Control",
            ]),
        tests("albumctlTests", ["albumctl", "ControlServer", "Control", "PhotoModel", "Platform", "TestSupport"]),
        tests(
            "IntegrationTests",
            ["HTTPClient", "Control", "PhotoModel", "Platform", "SQLite", "PhotoStore", "TestSupport"]),
        tests("HouseRules", ["Control", "PhotoModel", "Platform"]),
    ] + (canReadMedia ? worker : [])
)
