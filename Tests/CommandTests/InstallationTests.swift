// Building and installing, before and beside the program: the toolchain, the units, the completion.
import Foundation
import Testing

private let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// Runs a command of the system in the repository, with these variables and no others.
private func run(_ arguments: [String], _ environment: [String: String]) throws
    -> (status: Int32, output: String, errors: String)
{
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: repository)
    process.environment = environment
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
        process.terminationStatus, String(decoding: text, as: UTF8.self),
        String(decoding: complaint, as: UTF8.self)
    )
}

private func write(_ script: String, to path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
}

@Suite struct AToolchainThatIsNamed {
    let folder: Folder
    let environment: [String: String]

    /// A home without anything, and commands that tell when they are asked to install or download.
    init() throws {
        folder = try Folder()
        for name in ["apt-get", "curl", "dpkg-query", "gpg"] {
            try write("#!/bin/sh\necho \(name) >>'\(folder("asked"))'\nexit 1\n", to: folder("bin/\(name)"))
        }
        environment = ["HOME": folder("home"), "PATH": folder("bin") + ":/usr/bin:/bin"]
    }

    private func look(at home: String) throws -> (status: Int32, output: String, errors: String) {
        try run(["./.ci/toolchain"], environment.merging(["SWIFT_HOME": home]) { $1 })
    }

    @Test func isUsedAsItIs() throws {
        try write(
            "#!/bin/sh\necho 'Swift version 6.2.1 (swift-6.2.1-RELEASE)'\n",
            to: folder("own/usr/bin/swift")
        )
        let result = try look(at: folder("own"))
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        #expect(result.output == folder("own/usr/bin") + "\n")
    }

    @Test(arguments: ["echo 'Swift version 6.1 (swift-6.1-RELEASE)'", "exit 127", nil])
    func stopsTheBuildWhereItCannotBeUsed(script: String?) throws {
        if let script { try write("#!/bin/sh\n\(script)\n", to: folder("own/usr/bin/swift")) }
        let result = try look(at: folder("own"))
        #expect(result.status == 1 && result.output.isEmpty, "\(result)")
        #expect(result.errors.hasPrefix("breadly: ") && result.errors.contains("SWIFT_HOME"), "\(result)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
        #expect(
            !FileManager.default.fileExists(atPath: folder("asked")),
            "it asks for nothing from elsewhere"
        )
        #expect(!FileManager.default.fileExists(atPath: folder("home")), "it leaves nothing behind")
    }
}

@Suite struct TheUnits {
    private func unit(_ name: String) throws -> [String] {
        try String(contentsOfFile: "\(repository)/Resources/\(name).service", encoding: .utf8)
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    @Test func areTheSameButForWhatTheyServe() throws {
        let (serve, cloud) = (try unit("breadly"), try unit("breadly-cloud"))
        let own = ["Description=", "ExecStart=", "Environment=", "EnvironmentFile=", "StateDirectory="]
        #expect(serve.filter { line in !own.contains { line.hasPrefix($0) } }.count > 30)
        #expect(serve.count == cloud.count)
        for (line, other) in zip(serve, cloud) where !own.contains(where: { line.hasPrefix($0) }) {
            #expect(line == other)
        }
        #expect(cloud.contains("ExecStart=@PREFIX@/bin/breadly cloud"))
        #expect(cloud.contains("Environment=BREADLY_DATA=%S/breadly-cloud"))
        #expect(cloud.contains("EnvironmentFile=-/etc/default/breadly-cloud"))
        #expect(cloud.contains("StateDirectory=breadly-cloud breadly-cloud-backups"))
    }

    @Test(arguments: ["breadly", "breadly-cloud"])
    func areConfinedAndQuiet(name: String) throws {
        let lines = try unit(name)
        let needed = [
            // A bad option is not tried again.
            "Restart=on-failure", "RestartPreventExitStatus=64",
            "LimitNOFILE=65536",
            "DynamicUser=yes", "ProtectSystem=strict", "ProtectHome=yes", "NoNewPrivileges=yes",
            "CapabilityBoundingSet=", "PrivateUsers=yes", "MemoryDenyWriteExecute=yes", "UMask=0077",
            // libdispatch logs each nice value that it is refused.
            "SystemCallFilter=setpriority", "LimitNICE=-4",
        ]
        for line in needed { #expect(lines.contains(line), "\(line)") }
        // The last line about a call counts.
        let denied = try #require(lines.firstIndex(of: "SystemCallFilter=~@privileged @resources"))
        let allowed = try #require(lines.firstIndex(of: "SystemCallFilter=setpriority"))
        #expect(denied < allowed)
    }
}

@Suite struct AnInstallation {
    private static let installed = [
        "bin/breadly", "lib/systemd/system/breadly.service", "lib/systemd/system/breadly-cloud.service",
        "share/bash-completion/completions/breadly", "share/zsh/site-functions/_breadly",
        "share/fish/vendor_completions.d/breadly.fish", "share/breadly/Resources/data/currencies.tsv",
        "share/breadly/Resources/data/signs.tsv",
    ]

    private func make(_ target: String, _ folder: Folder) throws -> (
        status: Int32, output: String, errors: String
    ) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        // The test build replaces the release build.
        return try run(
            [
                "make", target, "BINARY=\(Program.folder)breadly", "DESTDIR=" + folder("a root"),
                "PREFIX=/opt/breadly",
            ],
            ["PATH": path, "HOME": folder("home")]
        )
    }

    @Test func bringsAllThatItTakesAway() throws {
        let folder = try Folder()
        let made = try make("install", folder)
        #expect(made.status == 0, "\(made)")
        let root = folder("a root/opt/breadly")
        for path in Self.installed {
            #expect(FileManager.default.isReadableFile(atPath: "\(root)/\(path)"), "\(path)")
        }
        let beside = try FileManager.default.contentsOfDirectory(atPath: root + "/share/breadly/Resources")
        #expect(!beside.contains { $0.hasSuffix(".service") || $0 == "bench" })
        for name in ["breadly", "breadly-cloud"] {
            let unit = try String(
                contentsOfFile: "\(root)/lib/systemd/system/\(name).service",
                encoding: .utf8
            )
            #expect(unit.contains("ExecStart=/opt/breadly/bin/breadly ") && !unit.contains("@PREFIX@"))
        }
        for path in Self.installed where path.contains("ompletion") || path.contains("zsh") {
            let script = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            #expect(script.contains("reset-password") && script.contains("trusted-proxy"), "\(path)")
        }
        // Without its symbols the binary does the same.
        let version = try run([root + "/bin/breadly", "--version"], [:])
        #expect(version.status == 0 && version.output.hasPrefix("breadly "), "\(version)")
        let built = try FileManager.default.attributesOfItem(atPath: Program.folder + "breadly")
        let stripped = try FileManager.default.attributesOfItem(atPath: root + "/bin/breadly")
        let sizes = (built[.size] as? Int ?? 0, stripped[.size] as? Int ?? 0)
        #expect(sizes.1 > 0 && sizes.1 < sizes.0, "\(sizes)")

        #expect(try make("uninstall", folder).status == 0)
        let left = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        for path in left {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
            #expect(isFolder.boolValue, "\(path) is left")
        }
    }
}
