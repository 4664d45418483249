// Password hashes: scrypt (RFC 7914), stored with their parameters.

import Crypto
import CryptoExtras
import Encoding
import Foundation

/// The hash of a password as one line: `$scrypt$ln=15,r=8,p=1$SALT$HASH`, both in base64 without padding.
/// This is the PHC string format, which other programs read as well.
public struct PasswordHash: Hashable, Sendable {
    /// The cost of a guess: 2^`logRounds` × `blockSize` × 128 bytes of memory, and time in proportion.
    public struct Cost: Hashable, Sendable {
        /// The binary logarithm of the rounds.
        public var logRounds: Int
        /// The size of a block, in units of 128 bytes.
        public var blockSize: Int
        /// The number of repetitions.
        public var parallelism: Int

        /// The parameters N (as its logarithm), r and p of RFC 7914.
        public init(logRounds: Int, blockSize: Int, parallelism: Int) {
            self.logRounds = logRounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// 32 MB for each password, three times in sequence: OWASP's recommendation for machines on which 128
        /// MB at once are too much (Password Storage Cheat Sheet, 2025).
        public static let usual = Cost(logRounds: 15, blockSize: 8, parallelism: 3)

        /// Whether a machine can afford it: a damaged line must not claim all memory.
        fileprivate var isSane: Bool {
            (1...20).contains(logRounds) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
        }
    }

    /// Read from its text, so that older hashes are recognized and renewed.
    public let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a password.
    /// - Parameter salt: 16 random bytes.
    /// - Returns: nil if the system has no memory for it.
    public init?(of password: String, salt: [UInt8], cost: Cost) {
        guard let hash = Self.derive(password, salt, cost, byteCount: 32) else { return nil }
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// A hash that matches no password: a comparison takes as long as with any other, and creating it takes
    /// no time.
    /// - Parameter hash: 32 random bytes.
    init(ofNobody hash: [UInt8], salt: [UInt8], cost: Cost) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Decodes `line`; nil for any other text.
    public init?(_ line: String) {
        let parts = line.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let cost = Self.cost(parts[2]), cost.isSane,
            let salt = Base64.unpadded.decode(parts[3]), let hash = Base64.unpadded.decode(parts[4]),
            !salt.isEmpty, hash.count == 32
        else { return nil }
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// The encoded form, as the type's documentation shows it.
    public var line: String {
        let cost = "ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(cost)$\(Base64.unpadded.encode(salt))$\(Base64.unpadded.encode(hash))"
    }

    /// Whether the password has this hash. The comparison takes constant time.
    public func matches(_ password: String) -> Bool {
        guard let other = Self.derive(password, salt, cost, byteCount: hash.count) else { return false }
        return isEqualInConstantTime(other, hash)
    }

    /// Normalised, so that a password is the same however a keyboard composes its letters (RFC 8265, section
    /// 4.2.2).
    private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost, byteCount: Int) -> [UInt8]?
    {
        let key = try? KDF.Scrypt.deriveKey(
            from: Data(password.precomposedStringWithCanonicalMapping.utf8),
            salt: Data(salt),
            outputByteCount: byteCount,
            rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        return key?.withUnsafeBytes { Array($0) }
    }

    private static func cost(_ text: Substring) -> Cost? {
        let values = text.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
        guard values.count == 3, values.allSatisfy({ $0.count == 2 }),
            values.map({ $0[0] }) == ["ln", "r", "p"],
            let logRounds = Int(values[0][1]), let blockSize = Int(values[1][1]),
            let parallelism = Int(values[2][1])
        else { return nil }
        return Cost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
    }
}
