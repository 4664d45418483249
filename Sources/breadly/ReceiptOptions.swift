import ArgumentParser
import BreadlyApp

/// The limits of the files beside transactions, for a book and for an account in the cloud.
struct ReceiptOptions: ParsableArguments {
    @Option(help: "The maximum size of a file beside a transaction, in bytes or with a suffix. Default: 10M.")
    var attachmentBytes: ByteCount?

    @Option(
        help: "The maximum size of all files of a browser's book together, and of an account. Default: 1G."
    )
    var attachmentQuota: ByteCount?

    func set(_ settings: inout Settings) throws {
        if let most = try value(attachmentBytes, "attachment-bytes")?.bytes {
            guard (1 << 10...1 << 30).contains(most) else {
                throw ValidationError("--attachment-bytes must be between 1K and 1G.")
            }
            settings.limits.receipts.fileBytes = Int(most)
        }
        if let most = try value(attachmentQuota, "attachment-quota")?.bytes {
            guard (0...1 << 40).contains(most) else {
                throw ValidationError("--attachment-quota must be at most 1024G.")
            }
            settings.limits.receipts.deviceBytes = most
        }
    }
}
