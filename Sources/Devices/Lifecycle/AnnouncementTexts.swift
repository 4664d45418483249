// The texts of announcements. Some of them have numbers, which are counted again for each page.

public import Book
public import DeviceStore
import Ledger
import Lifecycle
import SyncCore
public import Texts

extension Device {
    /// A message with the present numbers.
    func notice(of announcement: Announcement, at now: Int64) async -> Notice {
        let text = announcement.text(await facts(for: announcement))
        return Notice(key: announcement.rawValue, at: now, text: text)
    }

    /// The facts for the text of an announcement; none if it needs none.
    func facts(for announcement: Announcement) async -> Announcement.Facts {
        guard announcement.hasFacts else { return Announcement.Facts() }
        do throws(DevicesError) {
            return try await withBook { book throws(BookError) in try facts(in: book) }
        } catch {
            services.dependencies.log.error("changes and files were not counted: \(error) (device \(id))")
            return Announcement.Facts()
        }
    }

    /// The text of a notice with the numbers of the present book; nil if nothing is left that it could say. Changes and files
    /// are added and sent after a notice was stored.
    public func text(of notice: Notice, in book: Book) throws(BookError) -> Text? {
        guard let announcement = Announcement(rawValue: notice.key), announcement.hasFacts else {
            return notice.text
        }
        let facts = try facts(in: book)
        switch announcement {
        case .changesNotUploaded where facts.changes == 0 && facts.files == 0: return nil
        case .filesNotUploaded where facts.files == 0: return nil
        default: return announcement.text(facts)
        }
    }

    private func facts(in book: Book) throws(BookError) -> Announcement.Facts {
        let sync = try book.syncFacts()
        return Announcement.Facts(
            changes: sync.changesOnlyHere,
            files: sync.files.sound,
            filesNotHere: try filesNotHere(in: book),
            isIncomplete: sync.replica.incomplete != nil || sync.replica.isCatchingUp
        )
    }
}

extension Announcement {
    /// The facts that the texts are made of.
    struct Facts {
        /// The changes that the cloud does not have.
        var changes = 0
        /// The files of receipts that the cloud does not have.
        var files = 0
        var filesNotHere = FilesNotHere()
        /// Whether rows of the cloud are missing on this device.
        var isIncomplete = false
    }

    fileprivate var hasFacts: Bool {
        switch self {
        case .changesNotUploaded, .filesNotUploaded, .subscriptionEnded: true
        case .noCloudBackup, .premiumActivated, .accountGone, .dataDeleted, .ownDataDeleted: false
        }
    }

    /// The text for the user.
    fileprivate func text(_ facts: Facts) -> Text {
        switch self {
        case .changesNotUploaded where facts.files > 0:
            Text(
                "notices.changes-and-files-not-uploaded",
                [
                    "count": .count(facts.changes), "files": .count(facts.files),
                    "total": .count(facts.changes.addingClamped(facts.files)),
                ]
            )
        case .changesNotUploaded: Text("notices.changes-not-uploaded", ["count": .count(facts.changes)])
        case .filesNotUploaded: Text("notices.files-not-uploaded", ["count": .count(facts.files)])
        case .noCloudBackup: Text("notices.no-cloud-backup")
        case .accountGone: Text("notices.account-gone")
        case .premiumActivated: Text("notices.premium-activated")
        case .dataDeleted: Text("notices.data-deleted")
        case .ownDataDeleted: Text("notices.own-data-deleted")
        case .subscriptionEnded: Self.ended(facts)
        }
    }

    private static func ended(_ facts: Facts) -> Text {
        let ended =
            facts.isIncomplete
            ? Text("notices.subscription-ended-too-early") : Text("notices.subscription-ended")
        return facts.filesNotHere.texts.reduce(ended) { before, next in
            Text("common.two-sentences", ["first": .text(before), "second": .text(next)])
        }
    }
}
