// The rules of the house, held against the sources as they stand.

import Foundation
import Testing

@Suite struct TheHouse {
    @Test func targetsImportOnlyWhatTheirLineNames() throws {
        let (sources, plan) = (try House.sources(), try PackagePlan.ours())
        #expect(!sources.isEmpty)
        // A test target whose line lacks a module is not built again when the module changes.
        let tests = try House.sources(in: "Tests").filter { $0.path.split(separator: "/").count > 2 }
        let faults =
            sources.flatMap { Floors.faults(of: $0, in: plan) }
            + tests.flatMap { Floors.undeclared(by: $0, in: plan) }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func theTargetsKeepToTheirFloorsAndHaveTests() throws {
        let plan = try PackagePlan.ours()
        #expect(plan.shipped.count > 20)
        let faults = Floors.faults(of: plan)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func everyFolderOfSourcesIsATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: House.root.appending(path: "Sources").path()
        )
        #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(try PackagePlan.ours().shipped.map(\.name)))
    }

    @Test func unsafeCodeStaysWhereItIsProven() throws {
        let proven = [
            "Sources/HTTPServer/", "Sources/Compression/", "Sources/Outbound/CurlLibrary.swift",
            "Sources/Outbound/Transfer.swift", "Sources/Outbound/TransferLoop.swift",
            "Sources/Outbound/TransferThread.swift",
            "Sources/Templates/ByteBuffer.swift",
            "Sources/Templates/ValuePointer.swift",
            "Sources/RateFeeds/XMLReader.swift", "Sources/RegularExpressions/RegularExpressions.swift",
            "Sources/Templates/Run.swift", "Sources/Templates/Program.swift", "Sources/Storage/Columns.swift",
            "Sources/FileStore/IncomingFile.swift",
            // No part of what is installed: the socket of the benchmark's client.
            "Sources/breadly-bench/Client.swift",
        ]
        let pattern =
            /UnsafeMutable\w*|UnsafeRaw\w*|UnsafePointer|UnsafeBufferPointer|OpaquePointer|Unmanaged\b|unsafeBitCast|nonisolated\(unsafe\)|@unchecked\s+Sendable/
        let found = try House.sources()
            .filter { file in !proven.contains { file.path.hasPrefix($0) } }
            .flatMap { $0.places(of: pattern) }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func nothingShippedTraps() throws {
        let pattern = /\bfatalError\s*\(|\bpreconditionFailure\s*\(|\btry!|\bas!/
        let found = try House.sources().flatMap { $0.places(of: pattern) }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func noSumOfMoneyIsClamped() throws {
        let found = try House.sources().flatMap { $0.places(of: House.clampedMoney) }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// A cancelled `Task.sleep` leaves its job in memory until its time: `pause(milliseconds:)` says more.
    @Test func nothingShippedSleepsWithWhatStaysInMemory() throws {
        let found = try House.sources().flatMap { $0.places(of: /\bTask\s*\.\s*sleep\b/) }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func timeAndIdentifiersComeInFromTheTop() throws {
        let wiring: Set = ["BreadlyApp", "breadly", "breadly-bench"]
        let pattern = /\bDate\(\)|\bDate\.now\b|\bUUID\(\)/
        let found = try House.sources()
            .filter { !wiring.contains($0.target) }
            .flatMap { $0.places(of: pattern) }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// A figure of a page ends today, and each read of the book says so.
    @Test func figuresOfPagesAreAskedForThroughToday() throws {
        let reads = [
            "balances", "register", "netWorth", "accountWorth", "cashFlow", "report", "spending",
            "transactions",
            "planMove", "budgets",
        ]
        let pattern = try Regex("[ .(]book(?:\\(\\))?\\s*\\.(?:\(reads.joined(separator: "|")))\\(")
        var (places, faults) = (0, [String]())
        for file in try House.sources() where file.target == "Web" {
            let code = file.code
            for match in code.matches(of: pattern) {
                places += 1
                var depth = 1
                let arguments = code[match.range.upperBound...].prefix { character in
                    if character == "(" { depth += 1 }
                    if character == ")" { depth -= 1 }
                    return depth > 0
                }
                // The limits of a budget have no figures.
                guard !arguments.hasPrefix("like:"), !arguments.contains("through:") else { continue }
                faults.append("\(file.path): \(code[match.range])\(arguments))")
            }
        }
        #expect(places > 10)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func nothingIsCalledOutWhileALockIsHeld() throws {
        let places = try House.sources().flatMap(Locks.places)
        #expect(places.count > 50)
        let faults = places.flatMap(Locks.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func theTopLevelHoldsWhatThePlanNames() throws {
        let plan: Set = [
            "Package.swift", "Sources", "Tests", "Resources", "public", "README.md", "LICENSE",
            "CHANGELOG.md",
            "Makefile",
        ]
        // The package manager writes it beside the manifest; it is no part of the project.
        let written: Set = ["Package.resolved"]
        let entries = try FileManager.default.contentsOfDirectory(atPath: House.root.path())
            .filter { !$0.hasPrefix(".") && !written.contains($0) }
        let unplanned = Set(entries).subtracting(plan).sorted()
        let missing = plan.subtracting(entries).sorted()
        #expect(unplanned.isEmpty, "not in the plan: \(unplanned)")
        #expect(missing.isEmpty, "missing: \(missing)")
    }

    /// The text of a migration never changes: it stands there as a whole, and nothing is put into it.
    @Test func aMigrationIsNothingButText() throws {
        let migrations = try House.sources().filter { $0.path.contains("/Migrations/") }
        #expect(migrations.count > 5)
        let pattern = /(?m)^ *(?:(?:public|package|fileprivate|private|static) )*(?:func|var|struct|class) .*/
        let faults =
            migrations.flatMap { $0.places(of: pattern) }
            + migrations.filter { $0.text.contains("\\(") }.map(\.path)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func whatIsTypedIntoAFormIsKept() throws {
        let folder = "Resources/templates/"
        var kept = 0
        for path in House.files(in: "Resources/templates", extensions: ["mustache"]) {
            let name = path.dropFirst(folder.count)
            let source = try String(contentsOf: House.root.appending(path: path), encoding: .utf8)
            let isException = TemplateForm.exceptions.contains { name.hasPrefix($0) }
            for form in TemplateForm.all(in: source) where form.asksForSomething {
                #expect(form.isKept != isException, "\(path): <form\(form.tag)>")
                if form.isKept { kept += 1 }
            }
        }
        #expect(kept >= 9)
    }

    @Test func eachAddressOfTheAppIsWrittenOnce() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: House.root.appending(path: path), encoding: .utf8)
        }
        let declared = try House.sources().flatMap { Addresses.declared(in: $0.text) }
        #expect(declared.count > 100)
        #expect(declared.count == Set(declared).count)
        let known = Set(declared.map { String($0.dropFirst().prefix { $0.isLetter || $0 == "-" }) })
        let faults =
            try House.files(in: "Sources", extensions: ["swift"]).flatMap {
                Addresses.faults(inSwift: try text($0), path: $0, known: known)
            }
            + House.files(in: "Resources/templates", extensions: ["mustache"]).flatMap {
                Addresses.faults(inTemplate: try text($0), path: $0)
            }
            + House.files(in: "public", extensions: ["js", "css"]).flatMap {
                Addresses.faults(inPublic: try text($0), path: $0)
            }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        for exception in Addresses.exceptions {
            #expect(try text(exception.path).contains("\"\(exception.literal)\""), "\(exception.literal)")
        }
    }
}
