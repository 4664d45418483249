// The rules themselves: that they see what they are meant to see, and nothing else.

import Testing

@Suite struct ReadingSwift {
    @Test(arguments: [
        ("let a = 1 // try!", "let a = 1        "),
        ("a /* x /* y */ z */ b", "a                   b"),
        (#"f("try!")"#, #"f("    ")"#),
        (#"f("\"try!\"")"#, #"f("        ")"#),
        (#"f("a\(try! g("b"))c")"#, #"f("   try! g(" ")  ")"#),
        ("f(#\"\\(x)\"y\"#) + z", "f(#\"      \"#) + z"),
        ("f(#\"\\#(x) y\"#)", "f(#\"   x   \"#)"),
        ("f(\"\"\"\na \"b\" c\n\"\"\") // d", "f(\"\"\"\n       \n\"\"\")     "),
        ("#if DEBUG\nx\n#endif", "#if DEBUG\nx\n#endif"),
    ])
    func keepsCodeAlone(text: String, code: String) {
        #expect(SwiftText.codeOnly(text) == code)
    }

    @Test(arguments: [
        ("import Ledger", ["Ledger"]),
        ("public import Ledger\nimport struct Links.Link", ["Ledger", "Links"]),
        ("@testable internal import Book", ["Book"]),
        ("@preconcurrency import Web\n#if canImport(GRDB)\n    import GRDB\n#endif", ["GRDB", "Web"]),
        ("// import Ledger\nlet text = \"\"\"\nimport Book\n\"\"\"", []),
        ("let important = 1", []),
    ])
    func findsImports(text: String, modules: [String]) {
        #expect(SourceFile(path: "Sources/Web/A.swift", text: text).imports == Set(modules))
    }

    @Test(arguments: [
        ("Sources/Links/A.swift", "import Encoding", 0),
        ("Sources/Links/A.swift", "import Book", 1),
        ("Sources/Ledger/A.swift", "import Templates", 1),
        ("Sources/Outbound/A.swift", "import Identity", 1),
        ("Sources/Outbound/A.swift", "import FoundationNetworking", 1),
        ("Sources/Outbound/A.swift", "import CCurl", 0), ("Sources/Identity/Oidc/A.swift", "import CCurl", 1),
        ("Sources/Web/A.swift", "import GRDB", 1),
        ("Sources/Web/A.swift", "import CMicroHTTPD", 1), ("Sources/Cloud/A.swift", "import CExpat", 1),
        ("Sources/Book/A.swift", "import GRDB", 0),
        ("Sources/Book/A.swift", "import DeviceStore", 1),
        ("Sources/Web/A.swift", "import BreadlyApp", 1),
        ("Sources/breadly/A.swift", "import BreadlyApp", 0),
        ("Sources/BreadlyApp/A.swift", "import breadly_bench", 1),
        ("Sources/BreadlyApp/A.swift", "import TestKit", 1),
        ("Sources/Attic/A.swift", "", 1),
        ("Sources/Web/Budgets/BudgetPage.swift", "import Book", 1),
        ("Sources/Web/BudgetForm.swift", "import Devices", 1),
        (
            "Sources/Web/Budgets/BudgetPage.swift",
            "import Ledger\nimport Links\nimport Templates\nimport Texts", 0
        ),
        ("Sources/Web/Budgets/BudgetPages.swift", "import Book", 0),
        ("Sources/Lab/LabPage.swift", "import Book", 0),
    ])
    func holdsImportsAgainstThePackage(path: String, text: String, faults: Int) throws {
        let file = SourceFile(path: path, text: text)
        #expect(Floors.faults(of: file, in: try PackagePlan.ours()).count == faults)
    }

    /// A small package without faults; a case replaces one line of it.
    private static let package = """
        let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
        let package = Package(
            name: "house",
            targets: [
                // Floor 0: depends on no other target.
                .target(name: "Encoding", swiftSettings: settings),
                .target(name: "Ledger", swiftSettings: settings),
                .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
                // Floor 1
                .target(name: "Links", dependencies: ["Ledger"], swiftSettings: settings),
                .target(name: "Storage", dependencies: ["Ledger", grdb], swiftSettings: settings),
                // Floor 2
                .target(name: "Book", dependencies: ["Storage"], swiftSettings: settings),
                // A comment in between.
                .target(name: "Cloud", dependencies: ["Storage"], swiftSettings: settings),
                // Floor 6
                .executableTarget(name: "breadly", dependencies: ["Book"]),
                // Tests mirror the targets.
                .target(name: "TestKit", path: "Tests/TestKit", swiftSettings: settings),
                .testTarget(name: "EncodingTests", dependencies: ["Encoding"]),
                .testTarget(name: "LedgerTests", dependencies: ["Ledger", "TestKit"], exclude: ["Snapshots"]),
                .testTarget(name: "LinksTests", dependencies: ["Links"]),
                .testTarget(name: "StorageTests", dependencies: ["Storage"]),
                .testTarget(name: "BookTests", dependencies: ["Book"]),
                .testTarget(name: "CloudTests", dependencies: ["Cloud"]),
                .testTarget(name: "CommandTests", dependencies: ["breadly"]),
            ],
            swiftLanguageModes: [.v6]
        )
        """

    @Test func readsTheTargetsOfAPackage() throws {
        let plan = try PackagePlan(Self.package)
        #expect(plan.targets.count == 16 && plan.shipped.count == 8)
        #expect(plan["Ledger"]?.floor == 0 && plan["Cloud"]?.floor == 2 && plan["TestKit"]?.floor == nil)
        #expect(plan["Storage"]?.dependencies == ["Ledger"] && plan["breadly"]?.kind == .executable)
        #expect(plan.reach(of: "breadly") == ["Book", "Storage", "Ledger"])
        #expect(Floors.faults(of: plan) == [])
    }

    @Test(arguments: [
        (
            #".target(name: "Cloud", dependencies: ["Storage"],"#,
            #".target(name: "Cloud", dependencies: ["Book"],"#
        ),
        (
            #".target(name: "Cloud", dependencies: ["Storage"],"#,
            #".target(name: "Cloud", dependencies: ["Attic"],"#
        ),
        (
            #".target(name: "Cloud", dependencies: ["Storage"],"#,
            #".target(name: "Cloud", dependencies: ["TestKit"],"#
        ),
        (#".target(name: "Ledger","#, #".target(name: "Ledger", dependencies: ["Links"],"#),
        (#"(name: "Encoding","#, #"(name: "Encoding", dependencies: ["Ledger"],"#),
        (#".testTarget(name: "BookTests", dependencies: ["Book"]),"#, ""),
        (#"name: "BookTests", dependencies: ["Book"]"#, #"name: "BookTests", dependencies: ["Storage"]"#),
        ("// Floor 0: depends", "// It depends"),
    ])
    func seesWhatIsWrongWithAPlan(line: String, instead: String) throws {
        let text = Self.package.replacing(line, with: instead)
        #expect(text != Self.package)
        #expect(!Floors.faults(of: try PackagePlan(text)).isEmpty)
    }

    @Test(arguments: [
        ("swiftSettings: settings),", "swiftSettings: settings)"),
        (#".target(name: "Book","#, #".plugin(name: "Book","#),
        (#".target(name: "Book","#, #"local(name: "Book","#),
        (#"name: "Book", dep"#, #"dep"#),
        (#"["Ledger", grdb]"#, #"["Ledger", whatever]"#),
        (#"["Ledger", grdb]"#, #"["Ledger", .product(name: "X", package: "x")]"#),
        (#"path: "Tests/TestKit","#, #"sources: ["a"],"#),
        (#"dependencies: ["Storage"]"#, "dependencies: storage"),
        ("targets: [", "products: ["), ("    ],\n    swiftLanguageModes", "    swiftLanguageModes"),
    ])
    func refusesAPackageThatItDoesNotUnderstand(line: String, instead: String) {
        let text = Self.package.replacing(line, with: instead)
        #expect(text != Self.package)
        #expect(throws: PackagePlan.Fault.self) { try PackagePlan(text) }
    }

    @Test(arguments: [
        ("state.withLock { $0.count += 1 }", 0),
        ("state.withLock({ $0 })?.resume()", 0),
        ("state.withLock { state in\n    state.waiter?.resume()\n}", 1),
        ("let a = state.withLock { try store.page() }", 1),
        ("machine { $0.plan.answered() }", 0),
        ("machine { _ in store.changing { } }", 1),
        ("state.withLock { $0.task?.cancel() }", 1),
        ("state.withLock { state in whenEnded?() }", 1),
        ("a.withLock { b.withLock { } }", 1),
        ("state.withLock { state in\n    if state.isOpen { log(\"x\") }\n}", 1),
    ])
    func seesWhatIsDoneUnderALock(text: String, faults: Int) {
        let file = SourceFile(path: "Sources/Devices/A.swift", text: text)
        #expect(Set(Locks.places(in: file).flatMap(Locks.faults)).count == faults)
    }

    @Test(arguments: [
        ("Web", #"go("/transactions")"#, 1), ("Web", #"split(separator: "/")"#, 0),
        ("Web", #"// as "/transactions""#, 0), ("Web", #"text += "/>""#, 0),
        ("Web", #""/budgets/\($0.id)""#, 1), ("Web", #"static let a = Link(declared: "/a")"#, 0),
        ("Web", #"static let a = LinkTo<EntityID>("/a/*"), b = "/b""#, 1),
        ("BreadlyApp", #"folder + "/cloud.sqlite""#, 0),
        ("BreadlyApp", #"path == "/healthz""#, 1), ("Cloud", #""/healthz""#, 0),
    ])
    func seesAddressesInSwift(target: String, text: String, faults: Int) {
        let path = "Sources/\(target)/A.swift"
        #expect(Addresses.faults(inSwift: text, path: path, known: ["healthz"]).count == faults)
    }

    @Test(arguments: [
        (#"<a href="/help">"#, 1), (#"<form action='/'>"#, 1), (#"<a href="{{link help}}">"#, 0),
        (##"<a href="#main">"##, 0), (#"<body data-new="/x">"#, 1),
    ])
    func seesAddressesInTemplates(text: String, faults: Int) {
        #expect(Addresses.faults(inTemplate: text, path: "a.mustache").count == faults)
    }

    @Test(arguments: [
        (#"fetch("/healthz")"#, 1), (#"new EventSource("/events?" + state)"#, 1), (#"case "/": a"#, 0),
        (##"text.replace(/#.*/, "")"##, 0), ("a { background: url(/static/a.svg) }", 1),
    ])
    func seesAddressesInScripts(text: String, faults: Int) {
        #expect(Addresses.faults(inPublic: text, path: "a.js").count == faults)
    }

    @Test(arguments: [
        (
            "<form method=\"post\" data-once{{#a}} data-typed{{/a}}>{{>forms/draft}}<input name=\"a\"></form>",
            1, 1
        ),
        ("<form method=\"post\">{{>forms/draft}}<select></select></form>", 1, 0),
        ("<form method=\"post\" data-once{{#a}} data-typed{{/a}}><textarea></textarea></form>", 1, 0),
        ("<form method=\"post\"><input type=\"hidden\"></form>\n<form method=\"get\"><input></form>", 0, 0),
    ])
    func seesFormsThatLoseWhatIsTyped(source: String, asking: Int, kept: Int) {
        let forms = TemplateForm.all(in: source).filter(\.asksForSomething)
        #expect(forms.count == asking && forms.count(where: \.isKept) == kept)
    }

    @Test(arguments: [
        ("sum = total.minor.addingClamped(other)", 1), ("incomeMinor.subtractingClamped(expense)", 1),
        ("sum.addingClamped($1.minor)", 1), ("Int64(0).subtractingClamped(total.expenseMinor)", 1),
        ("Int64(clamping: spent.minor)", 1), ("Int64(clamping: -minor)", 1),
        ("count.addingClamped(other.count)", 0), ("Int64(clamping: money.minor.magnitude)", 0),
        ("minor + bytes.addingClamped(other)", 0), ("Int64(exactly: spent.minor)", 0),
    ])
    func seesClampedMoney(text: String, faults: Int) {
        let file = SourceFile(path: "Sources/Book/A.swift", text: text)
        #expect(file.places(of: House.clampedMoney).count == faults)
    }

    @Test func saysWhereSomethingStands() {
        let file = SourceFile(path: "Sources/Web/A.swift", text: "let a = 1\n\nlet b = try! f()\n")
        #expect(file.places(of: /\btry!/) == ["Sources/Web/A.swift:3: try!"])
    }
}
