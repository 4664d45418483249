import ArgumentParser
import BreadlyApp
import Foundation

/// Writes all data to a backup file, or verifies one.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write all data to one file, or verify such a file. The server may be running."
    )

    @Argument(help: "The backup file, a tar archive; - for standard output.")
    var file: String

    @Flag(help: "Compress the file with gzip. breadly restore reads it directly.")
    var compress = false

    @Flag(help: "Read an existing file and check every book in it, without writing.")
    var verify = false

    @OptionGroup var data: DataOption

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("The file has no name.") }
        guard !verify || !compress, !verify || file != "-" else {
            throw ValidationError("--verify takes the name of a file, and no --compress.")
        }
    }

    func run() throws {
        if verify { return try check() }
        // A pipe that its reader has closed is an error like a full disk.
        signal(SIGPIPE, SIG_IGN)
        let report = try BreadlyApp.Backup.write(
            try data.path(),
            to: file,
            compresses: compress,
            dependencies: .system()
        )
        for name in report.skipped {
            complain("\(name) went away meanwhile or is empty, and is not in the backup")
        }
        for line in report.unreadable { complain("not in the backup: \(line)") }
        for line in report.faults { complain(line) }
        if file != "-" { say("Written to \(file): \(report.files) files") }
        if !report.unreadable.isEmpty || !report.faults.isEmpty { throw ExitCode(1) }
    }

    private func check() throws {
        let verified = try BreadlyApp.Backup.verify(file)
        for line in verified.faults { complain("damaged or missing when it was made: \(line)") }
        let books = verified.books == 1 ? "1 book" : "\(verified.books) books"
        say(
            verified.hasManifest
                ? "\(file) is whole, every file as it was saved: \(books)"
                : "\(file) is whole, of an earlier version without a manifest: \(books)"
        )
        if !verified.faults.isEmpty { throw ExitCode(1) }
    }
}

/// Restores a backup.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore a backup. Stop the server first. The previous data is kept in a folder."
    )

    @Argument(help: "A file that was written by breadly backup.")
    var file: String

    @OptionGroup var data: DataOption

    func run() throws {
        let restored = try BreadlyApp.Backup.restore(
            file,
            to: try data.path(),
            dependencies: .system()
        )
        if restored.isFinishedOnly {
            say("A restore that was interrupted is finished now; nothing was done with \(file)")
        } else {
            say("Restored from \(file)")
        }
        for line in restored.faults { complain("damaged or missing when the backup was made: \(line)") }
        if let previous = restored.previousData { say("What was there before is in \(previous)") }
    }
}

/// Checks the data folder and the books in it.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the data folder and its books without changing them.",
        discussion: """
            Exit codes: 0 if everything is in order; 1 if something is damaged, missing or unusable, or the \
            folder cannot be examined; 2 if nothing is lost, but something should be done.
            """
    )

    @Flag(help: "Print the result as JSON.")
    var json = false

    @OptionGroup var data: DataOption

    func run() throws {
        let doctor = try BreadlyApp.Doctor(try data.path(), dependencies: .system())
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(doctor), as: UTF8.self))
        } else {
            say("\(doctor.folder): \(doctor.isInUse ? "a server works on it" : "no server works on it")")
            for finding in doctor.findings {
                say(
                    "\(finding.weight.rawValue): \(finding.path): \(finding.what)"
                        + (finding.todo.map { "; \($0)" } ?? "")
                )
            }
            if doctor.files > 0 {
                let files = doctor.files == 1 ? "1 file" : "\(doctor.files) files"
                say("\(files) of receipts read, \(doctor.bytesOfFiles) bytes")
            }
            let books = doctor.books == 1 ? "1 book" : "\(doctor.books) books"
            if doctor.isSound { say("\(books), all sound") } else { say("\(books) looked at") }
        }
        if !doctor.isSound { throw ExitCode(doctor.hasFaults ? 1 : 2) }
    }
}

/// An error with a message of one line.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
