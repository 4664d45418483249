// Helpers of the tests of the device store.
import Ledger

@testable import DeviceStore

/// The day that no test depends on.
let noon: Int64 = 1_763_726_400

extension EntityID {
    /// The id with a number.
    static func number(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }
}

extension CookieHash {
    init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        self.init((word, word, word, word))
    }
}
