// How passwords are kept: scrypt (RFC 7914), with what it was made with written beside it.

import Crypto
import CryptoExtras
import Encoding
import Foundation

/// The hash of a password as one line: `$scrypt$ln=15,r=8,p=1$SALT$HASH`, both in base64 without padding.
public struct PasswordHash: Hashable, Sendable {
    /// What guessing costs: 2^`logRounds` × `blockSize` × 128 bytes of memory, and time accordingly.
    public struct Cost: Hashable, Sendable {
        /// The binary logarithm of the rounds.
        public var logRounds: Int
        /// In 128 bytes.
        public var blockSize: Int
        /// How often.
        public var parallelism: Int

        /// A cost.
        public init(logRounds: Int, blockSize: Int, parallelism: Int) {
            self.logRounds = logRounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// 32 MB for each password, three times over: what OWASP recommends where 128 MB at once are too much for the
        /// machine (Password Storage Cheat Sheet, 2025).
        public static let usual = Cost(logRounds: 15, blockSize: 8, parallelism: 3)

        /// Whether it can be asked of a machine: a damaged line must not take all of its memory.
        fileprivate var isSane: Bool {
            (1...20).contains(logRounds) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
        }
    }

    /// What it was made with.
    public let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a password.
    /// - Parameter salt: 16 random bytes.
    /// - Returns: nil where the system has no memory for it.
    public init?(of password: String, salt: [UInt8], cost: Cost) {
        guard let hash = Self.derive(password, salt, cost, byteCount: 32) else { return nil }
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// A hash of no password at all: comparing with it takes as long as with any other, and making it no time.
    /// - Parameter hash: 32 random bytes.
    init(ofNobody hash: [UInt8], salt: [UInt8], cost: Cost) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Reads the line; nil for anything else.
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

    /// The line.
    public var line: String {
        let cost = "ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(cost)$\(Base64.unpadded.encode(salt))$\(Base64.unpadded.encode(hash))"
    }

    /// Whether it is the hash of this password. It takes the same time wherever they differ.
    public func matches(_ password: String) -> Bool {
        guard let other = Self.derive(password, salt, cost, byteCount: hash.count) else { return false }
        return isEqualInConstantTime(other, hash)
    }

    /// The same letters are the same password however a keyboard composes them (RFC 8265, section 4.2.2).
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
