// swift-tools-version: 6.2
// The plan of the house: the targets in the order of their floors. A target may import only what its line names.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

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
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),

        // Floor 1
        .target(name: "HTTPServer", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
        .target(name: "Pages", dependencies: ["Ledger", "Templates"], swiftSettings: settings),

        // Floor 2
        .target(
            name: "Book",
            dependencies: [
                "Ledger", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings
        ),

        // Tests mirror the targets.
        .testTarget(name: "LedgerTests", dependencies: ["Ledger"], swiftSettings: settings),
        .testTarget(name: "LifecycleTests", dependencies: ["Lifecycle"], swiftSettings: settings),
        .testTarget(name: "TemplatesTests", dependencies: ["Templates"], swiftSettings: settings),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer"], swiftSettings: settings),
        .testTarget(
            name: "BookTests",
            dependencies: ["Book", "Ledger", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: settings
        ),
        .testTarget(name: "PagesTests", dependencies: ["Pages", "Ledger", "Templates"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
