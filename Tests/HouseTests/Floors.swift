// The plan of the house as a table: which target may import which of ours, and who may reach beyond it.

/// What each target of ours may import of ours.
enum Floors {
    /// A target that is not named here fails the tests: the plan comes before the code.
    static let allowed: [String: Set<String>] = {
        // Floor 0 knows nothing of ours.
        var plan: [String: Set<String>] = [
            "Encoding": [], "Ledger": [], "Lifecycle": [], "Templates": ["Encoding"], "CMicroHTTPD": [],
            "CZlib": [],
            "CCurl": [], "CSystem": [], "Compression": ["CZlib"],
        ]
        // Floor 1
        plan["Links"] = ["Encoding", "Ledger"]
        plan["SyncCore"] = ["Encoding", "Ledger"]
        plan["HTTPServer"] = ["CMicroHTTPD", "Compression", "Encoding"]
        plan["Pages"] = ["Ledger", "Templates", "Links"]
        plan["Storage"] = ["Encoding", "Ledger"]
        plan["Outbound"] = ["CCurl"]
        // Floor 2: no adapter imports another.
        plan["Book"] = ["Encoding", "SyncCore", "Storage", "Ledger"]
        plan["DeviceStore"] = ["SyncCore", "Storage", "Ledger"]
        plan["Cloud"] = ["Encoding", "SyncCore", "Storage", "Ledger"]
        plan["SyncEngine"] = ["SyncCore", "Ledger"]
        plan["Identity"] = ["Encoding", "SyncCore", "Outbound", "Ledger"]
        plan["CloudClient"] = ["SyncCore", "Outbound", "Compression", "Ledger"]
        plan["Entitlements"] = ["SyncCore", "Ledger"]
        plan["RateFeeds"] = ["Ledger"]
        // Floor 3
        plan["Devices"] = [
            "Book", "DeviceStore", "Cloud", "SyncEngine", "Identity", "Entitlements", "RateFeeds", "SyncCore",
            "Lifecycle",
            "Storage", "Encoding", "Ledger",
        ]
        // Floor 4
        plan["Web"] = [
            "HTTPServer", "Links", "Pages", "Devices", "Book", "DeviceStore", "SyncCore", "SyncEngine",
            "Entitlements", "Encoding", "Lifecycle", "Ledger", "Templates",
        ]
        plan["CloudRoutes"] = ["HTTPServer", "SyncCore", "Compression", "Ledger"]
        let belowLab = Set(plan.keys).subtracting(["CMicroHTTPD", "CZlib", "CCurl", "CSystem", "CloudRoutes"])
        plan["Lab"] = belowLab
        // Floors 5 and 6 wire everything together.
        let libraries = Set(plan.keys).subtracting(["CMicroHTTPD", "CZlib", "CCurl", "CSystem"])
        plan["BreadlyApp"] = libraries
        plan["breadly"] = libraries.union(["BreadlyApp", "CSystem"])
        plan["breadly-bench"] = libraries.union(["BreadlyApp"])
        return plan
    }()

    /// Modules that are not for everybody, and the targets that they are for.
    static let reserved: [String: Set<String>] = [
        "GRDB": ["Storage", "Book", "Cloud", "DeviceStore"],
        "CMicroHTTPD": ["HTTPServer"],
        "CZlib": ["Compression"],
        "CCurl": ["Outbound"],
        "CSystem": ["breadly"],
        "FoundationNetworking": [],
        "TestKit": [],
        "Testing": [],
        "XCTest": [],
    ]

    /// What is wrong with a file's imports, one sentence for each.
    static func faults(of file: SourceFile) -> [String] {
        guard let allowed = allowed[file.target] else {
            return ["\(file.path): the target \(file.target) has no floor: give it one in Floors.swift"]
        }
        let ours = Set(Self.allowed.keys.map { $0.replacing("-", with: "_") })
        return file.imports.sorted().compactMap { module in
            if ours.contains(module), module != file.target, !allowed.contains(module) {
                "\(file.path): \(file.target) may not import \(module)"
            } else if let holders = reserved[module], !holders.contains(file.target) {
                "\(file.path): \(module) is for \(holders.isEmpty ? "tests" : holders.sorted().joined(separator: ", "))"
            } else {
                nil
            }
        }
    }
}
