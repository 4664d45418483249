// Rules that the package description cannot express: the order of the floors, the targets that may use
// modules of others, and the imports that pages must not have.

/// The rules about targets and imports.
enum Floors {
    /// Modules that only some targets may import, with those targets.
    static let reserved: [String: Set<String>] = [
        "GRDB": ["Storage", "Book", "Cloud", "DeviceStore"],
        "CMicroHTTPD": ["HTTPServer"],
        "CZlib": ["Compression"],
        "CCurl": ["Outbound"],
        "CExpat": ["RateFeeds"],
        "CPCRE2": ["RegularExpressions"],
        "CSystem": ["breadly", "breadly-bench"],
        "FoundationNetworking": [],
        "TestKit": [],
        "CloudSamples": [],
        "SchemaFiles": [],
        "BankStandIns": [],
        "Testing": [],
        "XCTest": [],
    ]

    /// The modules that pages and forms may import, so that none can fetch what it shows.
    private static let modulesOfPages: Set<String> = ["Ledger", "Links", "Templates", "Texts"]
    /// The target with the pages of the product.
    private static let targetOfPages = "Web"

    /// Targets that others on floor 0 may import: they contain nothing specific to Breadly.
    private static let groundwork: Set<String> = ["Encoding", "Texts"]
    /// The floor of the adapters: targets below it do no I/O, and targets above it are no adapters.
    private static let floorOfAdapters = 2
    /// The test targets that are not named after the target that they test.
    private static let testedElsewhere = ["breadly": "CommandTests", "breadly-bench": "CommandTests"]
    /// The libraries that tests share.
    private static let testLibraries: Set<String> = [
        "TestKit", "CloudSamples", "SchemaFiles", "BankStandIns",
    ]

    /// The faults of a plan, one sentence for each.
    static func faults(of plan: PackagePlan) -> [String] {
        var faults: [String] = []
        var above: Set<String> = []
        for target in plan.targets {
            for name in target.dependencies.sorted() {
                guard let other = plan[name] else {
                    faults.append("\(target.name): there is no target \(name)")
                    continue
                }
                if !above.contains(name) { faults.append("\(target.name): \(name) is not listed above it") }
                guard let floor = target.floor else { continue }
                if let below = other.floor {
                    if below > floor { faults.append("\(target.name): \(name) is on a higher floor") }
                    if floor == 0, other.kind != .system, !groundwork.contains(name) {
                        faults.append("\(target.name): a target on floor 0 must not depend on \(name)")
                    }
                    if floor == floorOfAdapters, below == floor {
                        faults.append("\(target.name): an adapter knows no other, and \(name) is one")
                    }
                } else {
                    faults.append("\(target.name): \(name) is for tests")
                }
            }
            if target.kind != .test, target.floor == nil, !testLibraries.contains(target.name) {
                faults.append("\(target.name): it has no floor")
            }
            if !above.insert(target.name).inserted { faults.append("\(target.name): it is listed twice") }
        }
        return faults + untested(plan)
    }

    /// The targets without a test target of their own.
    private static func untested(_ plan: PackagePlan) -> [String] {
        plan.shipped.filter { $0.kind != .system }.compactMap { target in
            let tests = testedElsewhere[target.name] ?? target.name + "Tests"
            return plan[tests]?.dependencies.contains(target.name) == true
                ? nil : "\(target.name): there is no test target \(tests) that depends on it"
        }
    }

    /// The modules of this package that a file imports and the line of its target does not name, one sentence for each.
    /// - Parameter others: modules that have a sentence already.
    static func undeclared(by file: SourceFile, in plan: PackagePlan, besides others: Set<String> = [])
        -> [String]
    {
        guard let target = plan[file.target] else {
            return ["\(file.path): Package.swift has no target \(file.target)"]
        }
        let allowed = Set(target.dependencies.compactMap { plan[$0]?.module } + [target.module])
        let ours = Set(plan.targets.map(\.module))
        return file.imports.intersection(ours).subtracting(allowed).subtracting(others).sorted().map {
            module in "\(file.path): Package.swift does not let \(file.target) import \(module)"
        }
    }

    /// The faults of a file's imports, one sentence for each.
    static func faults(of file: SourceFile, in plan: PackagePlan) -> [String] {
        guard plan[file.target] != nil else { return undeclared(by: file, in: plan) }
        let misused = file.imports.filter { reserved[$0].map { !$0.contains(file.target) } ?? false }
        return misused.sorted().map { module in
            let holders = reserved[module] ?? []
            let allowed = holders.isEmpty ? "tests" : holders.sorted().joined(separator: ", ")
            return "\(file.path): \(module) is for \(allowed)"
        } + undeclared(by: file, in: plan, besides: misused) + fetching(file)
    }

    /// The modules with which a page or a form could fetch what it shows, one sentence for each.
    private static func fetching(_ file: SourceFile) -> [String] {
        guard file.target == targetOfPages,
            ["Page.swift", "Form.swift"].contains(where: file.path.hasSuffix)
        else { return [] }
        return file.imports.subtracting(modulesOfPages).sorted().map { module in
            "\(file.path): a page or a form is given what it shows, and does not import \(module)"
        }
    }
}
