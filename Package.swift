// swift-tools-version: 6.2
// The plan of the house: the targets in the order of their floors. A target may import only what its line names.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")

let package = Package(
    name: "breadly",
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
    ],
    targets: [
        // Floor 0: knows nothing of ours, does no I/O, reads no clock.
        .target(name: "Ledger", swiftSettings: settings),
        .target(name: "Lifecycle", swiftSettings: settings),
        .target(name: "Templates", swiftSettings: settings),
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),

        // Floor 1
        .target(name: "HTTPServer", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
        .target(name: "Pages", dependencies: ["Ledger", "Templates"], swiftSettings: settings),

        // Floor 2
        .target(name: "Book", dependencies: ["Ledger", grdb, sqlite], swiftSettings: settings),

        // Tests mirror the targets.
        .target(name: "TestKit", path: "Tests/TestKit", swiftSettings: settings),
        .testTarget(name: "HouseTests", swiftSettings: settings),
        .testTarget(name: "LedgerTests", dependencies: ["Ledger", "TestKit"], swiftSettings: settings),
        .testTarget(name: "LifecycleTests", dependencies: ["Lifecycle"], swiftSettings: settings),
        .testTarget(name: "TemplatesTests", dependencies: ["Templates", "TestKit"], swiftSettings: settings),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "TestKit"],
            swiftSettings: settings
        ),
        .testTarget(name: "BookTests", dependencies: ["Book", "Ledger", grdb], swiftSettings: settings),
        .testTarget(
            name: "PagesTests",
            dependencies: ["Pages", "Ledger", "Templates", "TestKit"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
