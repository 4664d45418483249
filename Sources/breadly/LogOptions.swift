public import ArgumentParser
public import BreadlyApp
public import SyncCore

extension LogLevel: ExpressibleByArgument {}

extension LogFormat: ExpressibleByArgument {}

struct LogOptions: ParsableArguments {
    @Option(help: "The lowest level to log: error, warning, info or debug. Default: info.")
    var logLevel: LogLevel?

    @Option(help: "The format of log lines: text or json. Default: text.")
    var logFormat: LogFormat?

    @Option(help: "Whether to log each request: on or off. Default: off.")
    var accessLog: OnOrOff?

    /// The settings from these options and their environment variables.
    func settings() throws -> LogSettings {
        var settings = LogSettings()
        settings.level = try value(logLevel, "log-level") ?? settings.level
        settings.format = try value(logFormat, "log-format") ?? settings.format
        settings.access = try value(accessLog, "access-log") == .on
        return settings
    }
}
