// A receipt: a file beside a transaction.

/// A file beside a transaction, such as a photo of a receipt or an invoice. The file itself is stored apart from the row,
/// under its hash.
public struct Receipt: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// The transaction that the file belongs to; nil if another device has sent none.
    public var transaction: EntityID?
    /// The name that the file had when it was added, for display; up to 200 characters.
    public var name: String
    /// The media type, found out from the content; another version may store types that this one does not support.
    public var type: String
    /// The size in bytes.
    public var size: Int64
    /// The SHA-256 of the content, in 64 hexadecimal digits of lower case.
    public var sha256: String
    /// The width of a picture in pixels; nil for other files.
    public var width: Int64?
    /// The height of a picture in pixels; nil for other files.
    public var height: Int64?
    /// The time at which the file was added, in UTC seconds.
    public var created: Int64

    /// A receipt. Does not check lengths.
    public init(
        id: EntityID,
        transaction: EntityID?,
        name: String,
        type: String,
        size: Int64,
        sha256: String,
        width: Int64? = nil,
        height: Int64? = nil,
        created: Int64
    ) {
        self.id = id
        self.transaction = transaction
        self.name = name
        self.type = type
        self.size = size
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.created = created
    }

    /// The greatest number of receipts of a transaction.
    public static let mostOfTransaction = 10

    /// The greatest number of characters of a name.
    public static let longestName = 200
}

/// The types of files that can be receipts, by their media types.
public enum ReceiptType: String, Hashable, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case heic = "image/heic"
    case pdf = "application/pdf"

    /// Whether the file is a picture.
    public var isPicture: Bool { self != .pdf }

    /// Whether browsers of all kinds can be expected to show the file as a picture.
    public var isShownByBrowsers: Bool {
        switch self {
        case .jpeg, .png, .webp: true
        case .heic, .pdf: false
        }
    }

    /// The endings of names of such files, the usual one first.
    public var endings: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png"]
        case .webp: ["webp"]
        case .heic: ["heic", "heif", "hif"]
        case .pdf: ["pdf"]
        }
    }
}

extension Receipt {
    /// The greatest size of a file that lists show themselves, in bytes. The photo of a phone has three or four million.
    public static let mostBytesInLists: Int64 = 4 << 20
    /// The greatest number of pixels of such a file: a browser has to decode all of them.
    private static let mostPixelsInLists: Int64 = 16 << 20

    /// Whether lists can show the file itself, as long as no browser has made a small picture of it. Another device may
    /// have stated any size.
    public var isShownInLists: Bool {
        guard ReceiptType(rawValue: type)?.isShownByBrowsers == true, let width, let height else {
            return false
        }
        let pixels = 1...Self.mostPixelsInLists
        return pixels.contains(width) && pixels.contains(height) && pixels.contains(width * height)
            && (1...Self.mostBytesInLists).contains(size)
    }

    /// A name that is safe to show and to save a file under: one line, without folders, control characters and marks that
    /// change the direction of writing, and with an ending that fits the content.
    /// - Parameter sent: the name that a browser sent; any text.
    public static func name(from sent: String, _ type: ReceiptType) -> String {
        let last = sent.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars where !isInvisible(scalar) { scalars.append(scalar) }
        var name = String(String(scalars).trimmingSpaces.prefix(longestName * 4))
        let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
        let fits = type.endings.contains(ending.lowercased())
        if fits { name.removeLast(ending.count + 1) }
        // A hidden file, or no name at all.
        while name.first == "." { name.removeFirst() }
        let suffix = ".\(fits ? ending : type.endings[0])"
        name = String(name.prefix(longestName - suffix.count)).trimmingSpaces
        // A character may consist of any number of code points.
        while name.utf8.count + suffix.utf8.count > longestName * 4 { name.removeLast() }
        return (name.isEmpty ? "receipt" : name) + suffix
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            true
        default: false
        }
    }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
