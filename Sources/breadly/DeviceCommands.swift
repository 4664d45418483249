import ArgumentParser
import BreadlyApp
import Ledger

/// Lists the devices with signed-in users, locks one, or erases one.
struct ListDevices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the browsers on which somebody is signed in, lock one, or erase one."
    )

    @Option(help: "The id of a device whose book is closed until its user signs in there again.")
    var lock: String?

    @Option(help: "The id of a device, also of a guest's, whose book is erased. There is no way back.")
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

/// Lists the guests, or forgets those who have entered nothing.
struct Guests: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the guests, or forget those who have entered nothing."
    )

    @Flag(help: "Forget the guests who have entered nothing; a book with anything in it stays.")
    var prune = false

    @Option(help: "With --prune: how many days they must not have been seen. Default: 30.")
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

/// Opens the device store for a command, and closes it again.
private func withDevices<Value>(_ data: DataOption, _ body: (DeviceAdministration) throws -> Value) throws
    -> Value
{
    let devices = try DeviceAdministration(try data.path(), dependencies: .system())
    defer { devices.close() }
    return try body(devices)
}
