// The parts of a lab: the program's files, and its limits.

import DeviceStore
import Devices
package import HTTPServer
package import Identity
package import Ledger
package import Links
package import Storybook
package import SyncCore
package import Templates
package import Texts
package import Web

/// The parts of a lab that all worlds share.
package struct LabParts: Sendable {
    /// The most devices of a world.
    static let mostDevices = 3
    /// The paths below which the devices of each world are served, in the order of the devices.
    package static let bases = (1...mostDevices).compactMap { try? BasePath("/lab/d/\($0)") }
    /// The path below which the links and forms of stories lead. They end at a page that says so.
    package static let storyBase = try? BasePath("/lab/story")
    let folder: String
    let templates: TemplateLibrary
    let texts: TextCatalogue
    let journeys: Journeys
    let storybook: Storybook
    let pages: [PageLibrary]
    let tables: Site.Tables
    let locales: LocaleTable
    let files: StaticFiles
    let labFiles: StaticFiles
    let passwordRules: PasswordRules
    let rates: [ExchangeRates]
    let zoneOffset: @Sendable (_ zone: String, _ seconds: Int64) -> Int?
    let seconds: @Sendable () -> Int64
    let log: Log
    let seed: UInt64
    let version: String
    let limits: Limits
    /// The greatest size of a book, in bytes. The big book takes 103 MiB while all of it waits to be uploaded.
    let bookBytes: Int64 = 160 << 20
    /// The greatest size of the files beside transactions of a device, in bytes.
    let receiptBytes: Int64 = 32 << 20

    /// - Parameters:
    ///   - folder: the throw-away folder, which does not exist yet. The lab removes it at its end.
    ///   - templates: all templates, with addresses that are below no base path.
    ///   - texts: the sentences of the pages' language.
    ///   - journeys: the guided journeys.
    ///   - storybook: every page in every state, below `storyBase`.
    ///   - pages: the pages of each device, bound to its path of `bases`.
    ///   - tables: currencies, locales and time zones of the pages.
    ///   - locales: the locales of the devices.
    ///   - files: the files that the pages of devices load.
    ///   - labFiles: the files that the pages of the lab load: the files of the devices, `lab.css`, `lab.js` and the
    ///     sample receipt.
    ///   - passwordRules: the rules for passwords of new accounts.
    ///   - rates: the rates that came with the program, oldest first.
    ///   - zoneOffset: as `Dependencies.zoneOffset`.
    ///   - seconds: the real time, in UTC seconds.
    ///   - log: the log of the demo.
    ///   - seed: the seed of all that is made up in worlds. The cookies of reviewers do not come from it.
    ///   - version: the version of the program, for the report.
    ///   - limits: the bounds of the lab.
    package init(
        folder: String,
        templates: TemplateLibrary,
        texts: TextCatalogue,
        journeys: Journeys,
        storybook: Storybook,
        pages: [PageLibrary],
        tables: Site.Tables,
        locales: LocaleTable,
        files: StaticFiles,
        labFiles: StaticFiles,
        passwordRules: PasswordRules,
        rates: [ExchangeRates],
        zoneOffset: @escaping @Sendable (_ zone: String, _ seconds: Int64) -> Int?,
        seconds: @escaping @Sendable () -> Int64,
        log: Log,
        seed: UInt64,
        version: String,
        limits: Limits
    ) {
        self.folder = folder
        self.templates = templates
        self.texts = texts
        self.journeys = journeys
        self.storybook = storybook
        self.pages = pages
        self.tables = tables
        self.locales = locales
        self.files = files
        self.labFiles = labFiles
        self.passwordRules = passwordRules
        self.rates = rates
        self.zoneOffset = zoneOffset
        self.seconds = seconds
        self.log = log
        self.seed = seed
        self.version = version
        self.limits = limits
    }

    /// The ways to sign in on every device.
    /// - Parameter provider: the name of the demo's identity provider.
    func signInMethods(_ provider: String) -> SignInPage.Methods {
        SignInPage.Methods(passwords: true, provider: provider, acceptsNewAccounts: true)
    }

    /// The dependencies of a device.
    /// - Parameter name: for its lines in the log.
    func dependencies(_ clock: WorldClock, _ random: Randomness, _ name: String) -> Dependencies {
        Dependencies(
            milliseconds: { clock.milliseconds },
            random: random,
            log: Log { [log] level, line in log.write("\(name): \(line)", at: level) },
            zoneOffset: zoneOffset,
            serverZone: "UTC",
            pause: { await clock.pause(milliseconds: $0) }
        )
    }

    /// The bounds of a lab.
    package struct Limits: Sendable {
        /// The greatest number of worlds that have files.
        package var worlds = 64
        /// The greatest size of all worlds together when they are made, in bytes.
        package var bytes: Int64 = 2 << 30
        /// The share of both that the worlds of one network can have, in percent, so that one visitor cannot take the room
        /// of all.
        package var percentOfNetwork = 40
        /// The greatest number of reviewers who are remembered; most have no world.
        package var reviewers = 2_000
        /// The time without a request after which a world is wiped, in seconds.
        package var idleSeconds: Int64 = 7_200
        /// The time without a request after which a world gives way to the world of a new reviewer, in seconds.
        var spareSeconds: Int64 = 600
        /// The same time for a world whose visitor has not been seen since its first page was loaded, so that a loop that
        /// makes worlds takes the room of no visitor for long.
        var untouchedSeconds: Int64 = 60
        /// Real seconds of a monotonic clock.
        package var clock: @Sendable () -> Int64 = monotonicSeconds

        /// The limits above.
        package init() {}

        var worldsOfNetwork: Int { max(1, worlds * percentOfNetwork / 100) }
        var bytesOfNetwork: Int64 { bytes / 100 * Int64(percentOfNetwork) }
    }
}
