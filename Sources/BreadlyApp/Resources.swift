// The files that come with the program: where they are, and what its templates and tables hold.

import Foundation
public import Identity
public import Ledger
package import Links
import RateFeeds
import Synchronization
public import Texts
package import Web

/// Keeps the contents of the program's own files after their first read. A change of a file is not noticed.
public final class ResourceCache: Sendable {
    fileprivate let values = Mutex<[String: any Sendable]>([:])

    /// A cache that holds nothing yet.
    public init() {}
}

/// The folder of the program's own files, with functions that read them.
public struct Resources: Sendable {
    /// The folder that holds `Resources` and `public`.
    public let folder: String

    private let cache: ResourceCache?

    /// Does not check that the folder exists.
    /// - Parameter cache: keeps the contents, for a process that starts many servers; nil reads the files at each call.
    public init(folder: String, cache: ResourceCache? = nil) { (self.folder, self.cache) = (folder, cache) }

    /// Searches beside the installed program (`bin/breadly` and `share/breadly`), then in the folders above a
    /// built one (`.build/release/breadly`).
    /// - Parameter executable: the program's path.
    /// - Throws: `AppError.noResources`.
    public static func find(executable: String) throws(AppError) -> Resources {
        let program = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
        var folder = program.deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appendingPathComponent("share/breadly")
        if isThere(installed.path) { return Resources(folder: installed.path) }
        for _ in 0..<6 {
            if isThere(folder.path) { return Resources(folder: folder.path) }
            folder = folder.deletingLastPathComponent()
        }
        throw .noResources(program.path)
    }

    /// The templates by name, such as `transactions/index`.
    public func templates() throws(AppError) -> [String: [UInt8]] {
        var sources: [String: [UInt8]] = [:]
        let root = folder + "/Resources/templates"
        for path in FileManager.default.subpaths(atPath: root) ?? [] where path.hasSuffix(".mustache") {
            sources[String(path.dropLast(".mustache".count))] = try bytes("Resources/templates/" + path)
        }
        return sources
    }

    /// The sentences of a language, from `Resources/texts/LANGUAGE`.
    /// - Throws: `AppError.badFile` with file and line.
    public func texts(language: String = "en") throws(AppError) -> TextCatalogue {
        try cached("texts \(language)") { () throws(AppError) in try readTexts(language) }
    }

    private func readTexts(_ language: String) throws(AppError) -> TextCatalogue {
        let root = "Resources/texts/" + language
        let files = try textFiles(in: root)
        do { return try TextCatalogue(language: language, files: files) } catch {
            throw .badFile("\(root)/\(error)")
        }
    }

    /// The files of a folder with plain text, by their paths in it.
    func textFiles(in root: String) throws(AppError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in FileManager.default.subpaths(atPath: folder + "/" + root) ?? []
        where path.hasSuffix(".txt") {
            files[path] = try bytes(root + "/" + path)
        }
        return files
    }

    /// The pages, bound to their templates.
    /// - Parameter base: the path that the server is below.
    /// - Throws: `AppError.badTemplate` with file, line and column.
    package func pages(below base: BasePath = .root) throws(AppError) -> PageLibrary {
        try cached("pages \(base.text)") { () throws(AppError) in try readPages(base) }
    }

    private func readPages(_ base: BasePath) throws(AppError) -> PageLibrary {
        let (sources, texts) = (try templates(), try texts())
        do { return try PageLibrary(sources: sources, texts: texts, base: base) } catch {
            throw .badTemplate("\(error)")
        }
    }

    /// The currencies of ISO 4217, with their minor digits and symbols, and the currencies that the euro has replaced.
    public func currencies() throws(AppError) -> CurrencyTable {
        try cached("currencies") { () throws(AppError) in
            let euro = try table("euro.tsv", EuroTable.init(tsv:))
            return try table("currencies.tsv") { text throws(LedgerError) in
                try CurrencyTable(tsv: text, euro: euro)
            }
        }
    }

    /// How languages and regions write numbers and dates.
    public func locales() throws(AppError) -> LocaleTable {
        try cached("locales", readLocales)
    }

    private func readLocales() throws(AppError) -> LocaleTable {
        let signs = try table("signs.tsv", CurrencySigns.init(tsv:))
        return try table("locales.tsv") { text throws(LedgerError) in try LocaleTable(tsv: text, signs: signs)
        }
    }

    private func table<Table>(_ name: String, _ parse: (String) throws(LedgerError) -> Table) throws(AppError)
        -> Table
    {
        let text = String(decoding: try bytes("Resources/data/" + name), as: UTF8.self)
        do { return try parse(text) } catch { throw .badFile("\(name): \(error)") }
    }

    /// The exchange rates of one day, for a first start without a network.
    /// - Throws: `AppError.badFile`.
    func bundledRates() throws(AppError) -> [ExchangeRates] { try cached("rates", readRates) }

    private func readRates() throws(AppError) -> [ExchangeRates] {
        // A clock that is behind must not stop a server.
        let reader = RateFileReader(currencies: try currencies(), today: CivilDate(dayNumber: .max))
        let bytes = try bytes("Resources/data/rates.xml")
        do { return try reader.read(bytes).days } catch { throw .badFile("rates.xml: \(error)") }
    }

    /// The list of common passwords, and the rules based on it.
    public func passwordRules() throws(AppError) -> PasswordRules {
        try cached("passwords") { () throws(AppError) in
            PasswordRules(list: String(decoding: try bytes("Resources/data/passwords.txt"), as: UTF8.self))
        }
    }

    /// The value that was read under this name before; without one, reads it.
    func cached<Value: Sendable>(_ name: String, _ read: () throws(AppError) -> Value) throws(AppError)
        -> Value
    {
        let key = "\(folder) \(name)"
        if let value = cache?.values.withLock({ $0[key] }) as? Value { return value }
        let value = try read()
        cache?.values.withLock { $0[key] = value }
        return value
    }

    func bytes(_ path: String) throws(AppError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: folder + "/" + path) else {
            throw .badFile("\(folder)/\(path) cannot be read")
        }
        return Array(data)
    }

    private static func isThere(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/Resources/templates")
            && FileManager.default.fileExists(atPath: folder + "/public")
    }
}
