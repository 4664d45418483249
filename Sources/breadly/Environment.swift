// Each option can also be set by an environment variable, `BREADLY_<OPTION>`, which the option overrides.
import ArgumentParser
import Foundation

/// The value of an option: from the command line, or else from the environment; nil if it is in neither.
/// - Throws: `ValidationError` if the variable has a value that the option would refuse.
func value<Value: ExpressibleByArgument>(_ given: Value?, _ option: String) throws -> Value? {
    if let given { return given }
    let name = "BREADLY_" + option.uppercased().replacing("-", with: "_")
    guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return nil }
    guard let value = Value(argument: text) else {
        throw ValidationError("The value '\(text)' of \(name) is not one that --\(option) takes.")
    }
    return value
}

/// The number of an option, as `value`.
/// - Throws: `ValidationError` also if the number is outside of the range.
func number(_ given: Int?, _ option: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let number = try value(given, option) else { return nil }
    guard range.contains(number) else {
        throw ValidationError("--\(option) must be between \(range.lowerBound) and \(range.upperBound).")
    }
    return number
}

/// The option for the data folder.
struct DataOption: ParsableArguments {
    @Option(help: "The data folder. Default: $XDG_DATA_HOME/breadly, else ~/.local/share/breadly.")
    var data: String?

    /// The path of the data folder: given, or the default.
    /// - Throws: `ValidationError` if the option is empty, or there is no home folder for the default.
    func path() throws -> String {
        if let folder = try value(data, "data") {
            guard !folder.isEmpty else { throw ValidationError("--data names no folder.") }
            return folder
        }
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/breadly" }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw ValidationError("There is no home folder to keep data in: name one with --data.")
        }
        return home + "/.local/share/breadly"
    }
}
