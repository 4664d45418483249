import ArgumentParser
import BreadlyApp
import Foundation

/// Prints, requests and imports exchange rates.
struct Rates: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show, refresh or import exchange rates. The server may be running.",
        subcommands: [Show.self, Refresh.self, Import.self],
        defaultSubcommand: Show.self
    )

    /// Prints the newest rates' day, source and age.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the day, the source and the age of the rates, and what was left out."
        )

        @OptionGroup var data: DataOption

        func run() throws { for line in try withRates(data, { try $0.summary() }) { say(line) } }
    }

    /// Requests new rates.
    struct Refresh: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Request new rates now: at most once an hour, unless no request ever succeeded."
        )

        @OptionGroup var rates: RatesOption

        @OptionGroup var data: DataOption

        func run() throws {
            guard let address = try rates.address() else {
                throw Failure("requests for rates are off: give an address with --rates.")
            }
            let resources = try Resources.find(executable: Program.path)
            let lines = try withRates(data) { rates in
                try waiting { () async throws in
                    try await rates.refresh(from: address, resources: resources)
                }
            }
            for line in lines { say(line) }
        }
    }

    /// Imports a file of rates.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import a file of the European Central Bank: the whole file, or nothing of it."
        )

        @Argument(help: "The daily, 90-day or whole history file, XML or zip; - for standard input.")
        var file: String

        @OptionGroup var data: DataOption

        func run() throws {
            let bytes = try bytes()
            let name = file == "-" ? "standard input" : file
            let resources = try Resources.find(executable: Program.path)
            let lines = try withRates(data) {
                try $0.importFile(bytes, named: name, resources: resources)
            }
            for line in lines { say(line) }
        }

        /// The content, of which one byte more than can be imported is read at most.
        private func bytes() throws -> [UInt8] {
            let handle: FileHandle
            if file == "-" {
                handle = .standardInput
            } else {
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
                    !isFolder.boolValue
                else { throw Failure("\(file): there is no such file.") }
                guard let opened = FileHandle(forReadingAtPath: file) else {
                    throw Failure("\(file) cannot be read.")
                }
                handle = opened
            }
            var bytes: [UInt8] = []
            do {
                while bytes.count <= RateAdministration.mostFileBytes,
                    let more = try handle.read(upToCount: 1 << 20), !more.isEmpty
                {
                    bytes += more
                }
            } catch { throw Failure("\(file) cannot be read.") }
            return bytes
        }
    }
}

/// The option for the address of the rates.
struct RatesOption: ParsableArguments {
    @Option(
        help: "The address of the European Central Bank's file of rates, or off. Default: its daily file."
    )
    var rates: String?

    /// The address; nil for `off`.
    func address() throws -> RateAddress? {
        guard let text = try value(rates, "rates") else { return .europeanCentralBank }
        guard text != "off" else { return nil }
        do throws(AppError) { return try RateAddress(text) } catch { throw ValidationError("\(error)") }
    }
}

/// Opens the rates for a command, and closes them afterwards.
private func withRates<Value>(_ data: DataOption, _ body: (RateAdministration) throws -> Value) throws
    -> Value
{
    let rates = try RateAdministration(try data.path(), dependencies: .system())
    defer { rates.close() }
    return try body(rates)
}
