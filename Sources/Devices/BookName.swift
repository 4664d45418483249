// The name of a book in a browser, which keeps under it the forms that were not saved.

import Crypto
import Encoding
import Foundation

extension Device {
    /// The name of the book of the guest or user. What a browser keeps under it belongs to no other book, and the name says
    /// nothing about its owner.
    ///
    /// A locked book has a name of its own, so that nothing of it is kept. There is none while a sign-in decides whose book
    /// it will be: what was kept is neither shown nor removed until then.
    public var bookName: String? {
        machine { machine in
            switch machine.state {
            case .verifyingAccount, .migratingGuest: return nil
            default: break
            }
            if let session = machine.session, session.isLocked { return "locked" }
            let owner = machine.session?.user.id ?? machine.guest
            return Hex.encode(Array(SHA256.hash(data: Data("breadly book \(owner)".utf8)).prefix(8)))
        }
    }
}
