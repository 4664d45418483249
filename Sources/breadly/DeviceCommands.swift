import ArgumentParser
import BreadlyApp
import Ledger

/// Lists the signed-in devices, locks one, or erases one.
struct ListDevices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List signed-in devices, lock one, or erase one. A device is a browser."
    )

    @Option(help: "The id of a device to lock. Its book opens again after its user signs in there.")
    var lock: String?

    @Option(help: "The id of a device or guest whose book is erased. This cannot be undone.")
    var erase: String?

    @OptionGroup var data: DataOption

    func validate() throws {
        guard lock == nil || erase == nil else {
            throw ValidationError("Say either --lock or --erase, not both.")
        }
        for text in [lock, erase] { if let text { _ = try id(text) } }
    }

    func run() throws {
        if let lock { return say(try withDevices(data) { try $0.lock(id(lock)) }) }
        if let erase { return say(try withDevices(data) { try $0.erase(id(erase)) }) }
        for line in try withDevices(data, { try $0.list() }) { say(line) }
    }

    private func id(_ text: String) throws -> EntityID {
        guard let id = EntityID(text) else {
            throw ValidationError("'\(text)' is no id: breadly devices lists them.")
        }
        return id
    }
}

/// Lists guests, or removes guests without entries.
struct Guests: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List guests, or remove those without any entries."
    )

    @Flag(help: "Remove guests without any entries. A book with any entry is kept.")
    var prune = false

    @Option(help: "With --prune: the minimum number of days since the last visit. Default: 30.")
    var idleDays: Int?

    @OptionGroup var data: DataOption

    func validate() throws {
        guard prune || idleDays == nil else { throw ValidationError("--idle-days goes with --prune.") }
        guard (0...100_000).contains(idleDays ?? 0) else {
            throw ValidationError("--idle-days must be between 0 and 100000.")
        }
    }

    func run() throws {
        if prune { return say(try withDevices(data) { try $0.prune(idleDays: idleDays ?? 30) }) }
        for line in try withDevices(data, { try $0.guests() }) { say(line) }
    }
}

/// Opens the device store for a command, and closes it afterwards.
private func withDevices<Value>(_ data: DataOption, _ body: (DeviceAdministration) throws -> Value) throws
    -> Value
{
    let devices = try DeviceAdministration(try data.path(), dependencies: .system())
    defer { devices.close() }
    return try body(devices)
}
