public import ArgumentParser
public import BreadlyApp
public import SyncCore

extension LogLevel: ExpressibleByArgument {}

extension LogFormat: ExpressibleByArgument {}

/// The options about the log.
struct LogOptions: ParsableArguments {
    @Option(help: "The lowest level that is logged: error, warning, info or debug. Default: info.")
    var logLevel: LogLevel?

    @Option(help: "How lines of the log are written: as text, or as json. Default: text.")
    var logFormat: LogFormat?

    @Option(help: "Whether each request is a line of the log. Default: off.")
    var accessLog: OnOrOff?

    /// The settings that these options and their variables make.
    func settings() throws -> LogSettings {
        var settings = LogSettings()
        settings.level = try value(logLevel, "log-level") ?? settings.level
        settings.format = try value(logFormat, "log-format") ?? settings.format
        settings.access = try value(accessLog, "access-log") == .on
        return settings
    }
}
