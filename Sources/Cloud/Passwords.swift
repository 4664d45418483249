// The passwords of local accounts.
public import CloudProtocol
import GRDB
import Ledger
import Storage

extension Directory: PasswordStore {
    /// As `PasswordStore`.
    public func password(ofKey key: String) throws(CloudError) -> StoredPassword? {
        try reading { db in
            try db.first("SELECT subject, email, hash FROM passwords WHERE email_key = ?", [key]) {
                StoredPassword(subject: $0.text(0), email: $0.text(1), hash: $0.text(2))
            }
        }
    }

    /// As `PasswordStore`.
    public func add(_ password: StoredPassword, key: String) throws(CloudError) {
        let now = self.now
        try changing { db in
            let sql = """
                INSERT INTO passwords (email_key, email, subject, hash, changed_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
            let row: StatementArguments = [key, password.email, password.subject, password.hash, now]
            guard try db.change(sql, row) == 1 else { throw CloudFailure(.signIn(.emailTaken)) }
        }
    }

    /// As `PasswordStore`.
    public func replace(hash: String, of subject: String) throws(CloudError) -> Bool {
        let now = self.now
        return try changing { db in
            try db.change(
                "UPDATE passwords SET hash = ?, changed_at = ? WHERE subject = ?",
                [hash, now, subject]
            )
                == 1
        }
    }

    /// The e-mail address of an account's password; nil if it has none.
    func passwordEmail(of user: EntityID) throws(CloudError) -> String? {
        try reading { db in
            let sql = """
                SELECT passwords.email FROM identities JOIN passwords ON passwords.subject = identities.subject
                WHERE identities.user = ? AND identities.issuer = ?
                """
            return try db.first(sql, [user.column, Identity.localIssuer]) { $0.text(0) }
        }
    }
}

extension Database {
    /// Whether a local account still has its password, which is deleted with the account.
    func hasPassword(_ subject: String) throws -> Bool {
        try first("SELECT 1 FROM passwords WHERE subject = ?", [subject]) { _ in true } ?? false
    }
}
