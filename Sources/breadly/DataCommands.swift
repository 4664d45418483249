import ArgumentParser
import BreadlyApp
import Foundation

/// Writes all books into one file.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write all books into one file, also while the server runs."
    )

    @Argument(help: "The file to write; a tar archive.")
    var file: String

    @OptionGroup var data: DataOption

    func run() throws {
        try BreadlyApp.Backup.write(try data.path(), to: file)
        say("Written to \(file)")
    }
}

/// Puts a backup back.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a backup back. Stop the server first; the old data is kept aside."
    )

    @Argument(help: "The file that breadly backup has written.")
    var file: String

    @OptionGroup var data: DataOption

    func run() throws {
        let stamp = String(Int(Date().timeIntervalSince1970))
        let aside = try BreadlyApp.Backup.restore(
            file,
            to: try data.path(),
            stamp: stamp,
            dependencies: .system { _ in }
        )
        say("Restored from \(file)")
        if let aside { say("What was there before is in \(aside)") }
    }
}

/// Checks the data folder and the books in it.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Check the data folder and the books in it.")

    @OptionGroup var data: DataOption

    func run() throws {
        let (lines, isSound) = try BreadlyApp.Backup.examine(try data.path())
        for line in lines { say(line) }
        guard isSound else { throw Failure("something is damaged: bring back a copy with breadly restore.") }
    }
}

/// A failure that was told above already, in one line.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
