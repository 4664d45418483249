// swift-tools-version: 6.2
// The targets in the order of their floors. A target may import only the modules in its list of dependencies.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// The tests run in a release build (.ci/build-tests), but optimising most of their own code takes longer than it saves: the
// many expectations expand to much code. Each file is compiled for itself, so that a change compiles only what it touches.
let testSettings =
    settings + [
        .unsafeFlags(
            ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-incremental"],
            .when(configuration: .release)
        )
    ]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "breadly",
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
    ],
    targets: [
        // Floor 0: imports only Encoding and Texts of this package, does no I/O, reads no clock.
        .target(name: "Encoding", swiftSettings: settings),
        .target(name: "Ledger", dependencies: ["Encoding"], swiftSettings: settings),
        .target(name: "Lifecycle", swiftSettings: settings),
        .target(name: "Texts", swiftSettings: settings),
        .target(name: "Templates", dependencies: ["Encoding", "Texts"], swiftSettings: settings),
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CSystem"),

        // Gzip, deflate and checksums with zlib, for HTTP, zip files and PNG files.
        .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: settings),

        // Floor 1
        .target(name: "Links", dependencies: ["Encoding"], swiftSettings: settings),
        .target(name: "SyncCore", dependencies: ["Encoding", "Ledger"], swiftSettings: settings),
        .target(
            name: "CloudProtocol",
            dependencies: ["Encoding", "Ledger", "SyncCore"],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPServer",
            dependencies: ["CMicroHTTPD", "Compression", "Encoding"],
            swiftSettings: settings
        ),

        .target(name: "Outbound", dependencies: ["CCurl"], swiftSettings: settings),
        .target(name: "RegularExpressions", dependencies: ["CPCRE2", "Ledger"], swiftSettings: settings),
        .target(name: "FileStore", dependencies: ["Compression", "Ledger", crypto], swiftSettings: settings),
        .target(
            name: "Storage",
            dependencies: ["Encoding", "Ledger", grdb, sqlite],
            swiftSettings: settings
        ),

        // Floor 2
        .target(
            name: "Book",
            dependencies: [
                "Encoding", "Ledger", "RegularExpressions", "SyncCore", "Storage", grdb, crypto,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Cloud",
            dependencies: [
                "Encoding", "Ledger", "SyncCore", "CloudProtocol", "FileStore", "Storage", grdb, crypto,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "DeviceStore",
            dependencies: [
                "Ledger", "Lifecycle", "Texts", "SyncCore", "CloudProtocol", "FileStore", "Storage", grdb,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SyncEngine",
            dependencies: ["Ledger", "SyncCore", "CloudProtocol"],
            swiftSettings: settings
        ),
        .target(name: "Entitlements", dependencies: ["CloudProtocol"], swiftSettings: settings),
        .target(
            name: "Identity",
            dependencies: ["Encoding", "SyncCore", "CloudProtocol", "Outbound", crypto, cryptoExtras],
            swiftSettings: settings
        ),
        .target(
            name: "CloudClient",
            dependencies: ["Ledger", "SyncCore", "CloudProtocol", "Outbound", "Compression"],
            swiftSettings: settings
        ),
        .target(
            name: "RateFeeds",
            dependencies: ["CExpat", "Compression", "Ledger", "Outbound"],
            swiftSettings: settings
        ),
        .target(
            name: "BankFeeds",
            dependencies: ["Encoding", "Ledger", "Outbound", crypto],
            swiftSettings: settings
        ),

        // Floor 3
        .target(
            name: "Devices",
            dependencies: [
                "Encoding", "Ledger", "Lifecycle", "Texts", "SyncCore", "CloudProtocol", "SyncEngine",
                "FileStore", "Storage", "Book", "DeviceStore", "BankFeeds",
                "Entitlements", crypto,
            ],
            swiftSettings: settings
        ),

        // Floor 4
        .target(
            name: "Web",
            dependencies: [
                "Encoding", "Ledger", "Lifecycle", "Templates", "Texts", "SyncCore", "CloudProtocol",
                "SyncEngine", "HTTPServer",
                "Links",
                "BankFeeds", "Book", "DeviceStore", "Entitlements", "Devices", "FileStore",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Storybook",
            dependencies: ["Ledger", "Links", "Web", "Templates", "Texts"],
            swiftSettings: settings
        ),

        .target(
            name: "CloudRoutes",
            dependencies: ["Ledger", "SyncCore", "CloudProtocol", "HTTPServer", "Compression"],
            swiftSettings: settings
        ),

        .target(
            name: "Lab",
            dependencies: [
                "Encoding", "Ledger", "Lifecycle", "Templates", "Texts", "SyncCore", "CloudProtocol",
                "HTTPServer", "Links", "SyncEngine", "BankFeeds", "Book", "Cloud", "DeviceStore",
                "Entitlements",
                "Identity", "Storybook", "Devices", "Web",
            ],
            swiftSettings: settings
        ),

        // Floor 5
        .target(
            name: "BreadlyApp",
            dependencies: [
                "Encoding", "Ledger", "Lifecycle", "Templates", "Texts", "SyncCore", "CloudProtocol",
                "HTTPServer", "BankFeeds", "Book",
                "Cloud", "CloudClient", "CloudRoutes", "Compression", "DeviceStore", "FileStore", "Identity",
                "Lab",
                "Links",
                "Outbound", "RateFeeds", "Devices", "Storage", "Storybook", "Web", crypto, logging,
            ],
            swiftSettings: settings
        ),

        // Floor 6
        .executableTarget(
            name: "breadly",
            dependencies: [
                "CSystem", "BankFeeds", "BreadlyApp", "Devices", "HTTPServer", "Identity", "Ledger",
                "Outbound", "SyncCore",
                "Templates", "Web",
                arguments,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "breadly-bench",
            dependencies: [
                "Encoding", "Ledger", "Lifecycle", "Templates", "SyncCore", "CloudProtocol", "SyncEngine",
                "Compression",
                "Book", "Cloud", "DeviceStore", "HTTPServer", "CloudRoutes", "Web",
                "CSystem", "CloudClient", "Identity", "Outbound", "Devices", "BreadlyApp",
            ],
            swiftSettings: settings
        ),

        // Tests: each target has its own test target.
        .target(name: "TestKit", dependencies: ["Encoding"], path: "Tests/TestKit", swiftSettings: settings),
        .testTarget(name: "HouseTests", dependencies: ["TestKit", "Texts"], swiftSettings: settings),
        .testTarget(
            name: "EncodingTests",
            dependencies: ["Encoding", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "LedgerTests",
            dependencies: ["Encoding", "Ledger", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "LifecycleTests",
            dependencies: ["Lifecycle", "TestKit"],
            exclude: ["Snapshots"],
            swiftSettings: testSettings
        ),
        .testTarget(name: "TextsTests", dependencies: ["Texts", "TestKit"], swiftSettings: testSettings),
        .testTarget(
            name: "TemplatesTests",
            dependencies: ["Templates", "Texts", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "LinksTests",
            dependencies: ["Links", "Ledger", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "IdentityTests",
            dependencies: [
                "Encoding", "Identity", "Outbound", "SyncCore", "CloudProtocol", "TestKit", crypto,
                cryptoExtras,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "OutboundTests",
            dependencies: ["Outbound", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RegularExpressionsTests",
            dependencies: ["RegularExpressions", "Ledger"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "EntitlementsTests",
            dependencies: ["SyncCore", "Entitlements", "CloudProtocol", "TestKit"],
            swiftSettings: testSettings
        ),
        .target(
            name: "SchemaFiles",
            dependencies: ["Storage", "TestKit", grdb],
            path: "Tests/SchemaFiles",
            swiftSettings: settings
        ),
        .target(
            name: "CloudSamples",
            dependencies: ["CloudProtocol", "SyncCore", "Ledger"],
            path: "Tests/CloudSamples",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CloudTests",
            dependencies: [
                "Cloud", "CloudClient", "CloudRoutes", "Compression", "Devices", "FileStore", "HTTPServer",
                "Identity",
                "Outbound", "Storage", "SyncCore", "SyncEngine", "CloudProtocol", "Ledger", "Encoding",
                "CloudSamples", "SchemaFiles", "TestKit", grdb,
            ],
            exclude: ["Schemas"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "SyncCoreTests",
            dependencies: ["Encoding", "SyncCore", "Ledger", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CloudProtocolTests",
            dependencies: ["CloudProtocol", "CloudSamples", "Encoding", "SyncCore", "Ledger"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CloudClientTests",
            dependencies: [
                "CloudClient", "Cloud", "CloudProtocol", "CloudSamples", "Compression", "Outbound",
                "SyncCore",
                "Ledger", "TestKit",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CloudRoutesTests",
            dependencies: [
                "CloudRoutes", "Cloud", "CloudProtocol", "CloudSamples", "Compression", "Devices",
                "HTTPServer",
                "Identity", "SyncCore", "Ledger", "TestKit",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "BookTests",
            dependencies: [
                "Encoding", "Book", "CloudSamples", "Ledger", "SchemaFiles", "Storage", "SyncCore", "TestKit",
                grdb,
            ],
            exclude: ["Schemas"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CompressionTests",
            dependencies: ["Compression", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RateFeedsTests",
            dependencies: ["RateFeeds", "Compression", "Ledger", "Outbound", "TestKit"],
            exclude: ["Files"],
            swiftSettings: testSettings
        ),
        .target(
            name: "BankStandIns",
            dependencies: ["Encoding", "HTTPServer", crypto],
            path: "Tests/BankStandIns",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BankFeedsTests",
            dependencies: [
                "BankFeeds", "BankStandIns", "Encoding", "HTTPServer", "Ledger", "Outbound", "TestKit",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "FileStoreTests",
            dependencies: ["FileStore", "Ledger", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Ledger", "Storage", "TestKit", grdb],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "SyncEngineTests",
            dependencies: ["CloudProtocol", "Book", "Ledger", "SyncCore", "SyncEngine", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "DeviceStoreTests",
            dependencies: [
                "DeviceStore", "CloudProtocol", "Ledger", "Lifecycle", "SchemaFiles", "Storage", "SyncCore",
                "Texts", "TestKit",
                grdb,
            ],
            exclude: ["Schemas"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "StorybookTests",
            dependencies: ["Storybook", "Web", "Links", "Ledger", "Templates", "Texts", "TestKit"],
            exclude: ["Snapshots"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "DevicesTests",
            dependencies: [
                "Storage", "Devices", "BankFeeds", "Book", "Cloud", "DeviceStore", "Entitlements",
                "FileStore", "Ledger",
                "Lifecycle",
                "SyncCore", "SyncEngine",
                "CloudProtocol", "Encoding",
                "Texts", "TestKit", grdb,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Book", "Cloud", "CloudSamples", "Encoding", "FileStore", "Ledger", "Storage", "SyncCore",
                "CloudProtocol",
                "SyncEngine", "TestKit", grdb,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BreadlyAppTests",
            dependencies: [
                "BreadlyApp", "BankFeeds", "BankStandIns", "Book", "Cloud", "DeviceStore", "Devices",
                "Ledger", "HTTPServer", "Identity",
                "Links", "Outbound", "RateFeeds",
                "Storage", "SyncCore", "CloudProtocol", "TestKit", grdb,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "HTTPServer", "Web", "Devices", "Ledger", "Lifecycle", "Links", "SyncEngine", "Templates",
                "Texts", "TestKit",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "LabTests",
            dependencies: [
                "Templates", "Lab", "Book", "BreadlyApp", "CloudProtocol", "Devices", "Encoding", "Ledger",
                "Lifecycle",
                "SyncCore", "TestKit", "Texts",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: ["HTTPServer", "breadly", "breadly-bench", "BankStandIns", "TestKit"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "FieldTests",
            dependencies: [
                "Book", "HTTPServer", "Ledger", "Storage", "SyncCore", "Texts", "TestKit", "Web",
                grdb,
            ],
            swiftSettings: testSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The plugin of `make docs`. Only this command sets BREADLY_DOCS, because a build does not need the plugin.
if Context.environment["BREADLY_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin.git", exact: "1.5.0")
    )
}
