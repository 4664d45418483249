// Samples of every endpoint, with all optional parts of their messages and without them.
public import CloudProtocol
import Ledger
import SyncCore

extension WireSample {
    /// A token of 64 equal digits.
    public static func token(_ letter: Character = "a") throws -> SessionToken {
        guard let token = SessionToken(String(repeating: letter, count: 64)) else {
            throw MissingSample(name: "token")
        }
        return token
    }

    private static func id(_ low: UInt64) -> EntityID { EntityID(high: 1, low: low) }

    /// At least one sample of each endpoint.
    public static func all() throws -> [WireSample] { try userAccounts() + sync() + rates() + files() }

    private static func files() throws -> [WireSample] {
        let caller = Caller(try token())
        guard let key = FileKey(String(repeating: "0f", count: 32)) else {
            throw MissingSample(name: "files")
        }
        let part = FilePart(key, total: 20, offset: 4, bytes: Array("a part".utf8))
        return [
            try WireSample(
                "file asked",
                Endpoints.putFile,
                FilePart(key, total: 20),
                FileProgress(received: 4, isComplete: false),
                caller
            ),
            try WireSample(
                "file part",
                Endpoints.putFile,
                part,
                FileProgress(received: 10, isComplete: true),
                caller
            ),
            try WireSample(
                "file bytes",
                Endpoints.fileBytes,
                FileRange(key, offset: 4, count: 6),
                part.bytes,
                caller
            ),
            try WireSample(
                "files missing",
                Endpoints.missingFiles,
                nil,
                MissingFiles([], isComplete: true),
                caller
            ),
            try WireSample(
                "files missing behind",
                Endpoints.missingFiles,
                key,
                MissingFiles([key], isComplete: false),
                caller
            ),
        ]
    }

    private static func rates() throws -> [WireSample] {
        let caller = Caller(try token())
        let user = UserAccount(id: id(2), email: nil, name: nil, createdAt: 1_795_262_400, hasPassword: false)
        guard let day = CivilDate(iso: "2026-10-30"), let yen = CurrencyCode("JPY"),
            let dollar = CurrencyCode("USD"), let yenRate = ExchangeRate("175.68"),
            let dollarRate = ExchangeRate("1.1172")
        else { throw MissingSample(name: "rates") }
        let rates = ExchangeRates(
            day: day,
            source: .europeanCentralBank,
            rates: [yen: yenRate, dollar: dollarRate]
        )
        let range = RateHistoryRange(from: day, currencies: [.eur, dollar, yen])
        let (query, known) = (RateHistoryQuery(range), RateHistoryQuery(range, known: "2-1c84270d2bac45e5"))
        let later = ExchangeRates(
            day: day.adding(days: 3),
            source: .europeanCentralBank,
            rates: [dollar: dollarRate]
        )
        let history = RateHistory(version: "2-1c84270d2bac45e5", days: [rates, later])
        let none = RateHistory(version: "0-cbf29ce484222325", days: [])
        let report = UserAccountReport(
            user: user,
            holdings: Holdings(),
            entitlement: Entitlement(.active),
            rates: RatesVersion(of: rates)
        )
        let signedIn = SignedIn(
            user: user,
            token: try token(),
            isExistingAccount: false,
            entitlement: Entitlement(.active),
            rates: RatesVersion(of: rates)
        )
        let newcomer = SignInRequest(
            .newAccount(email: "anna@x.test", password: "p"),
            NewDevice(name: "Phone", guest: id(6))
        )
        return [
            try WireSample("rates", Endpoints.rates, (), LatestRates(rates), caller),
            try WireSample("rates none", Endpoints.rates, (), LatestRates(nil), caller),
            try WireSample("rate history", Endpoints.rateHistory, query, .history(history), caller),
            try WireSample("rate history known", Endpoints.rateHistory, known, .unchanged, caller),
            try WireSample("rate history none", Endpoints.rateHistory, query, .history(none), caller),
            try WireSample("account with rates", Endpoints.account, (), report, caller),
            try WireSample("signIn with rates", Endpoints.signIn, newcomer, signedIn, Caller(from: "")),
        ]
    }

    private static func userAccounts() throws -> [WireSample] {
        let (token, other) = (try token(), try token("b"))
        let caller = Caller(token)
        let checked = Caller(token, from: "192.0.2.1")
        let user = UserAccount(
            id: id(2),
            email: "anna@x.test",
            name: "Anna \"Ä\"",
            createdAt: 1_795_262_400,
            hasPassword: true
        )
        let bare = UserAccount(id: id(2), email: nil, name: nil, createdAt: 1_795_262_400, hasPassword: false)
        let signedIn = SignedIn(
            user: user,
            token: token,
            isExistingAccount: true,
            entitlement: Entitlement(.grace, expiresAt: 1_795_348_800, willRenew: true)
        )
        let signedInBare = SignedIn(
            user: bare,
            token: token,
            isExistingAccount: false,
            entitlement: Entitlement(.none)
        )
        let device = NewDevice(name: "Firefox on Linux", guest: id(6))
        let known = NewDevice(name: "Phone", guest: id(6), former: [token, other])
        let report = UserAccountReport(
            user: user,
            holdings: Holdings(accounts: 1, transactions: 2, categories: 3, changedAt: 1_795_262_401),
            entitlement: Entitlement(.active),
            usage: UserAccountUsage(rows: 4, bytes: 5, replicas: 6, others: 5),
            limits: UserAccountLimits(fields: 7, rowBytes: 8, rows: 9, bytes: 10, replicas: 11)
        )
        let reportBare = UserAccountReport(
            user: bare,
            holdings: Holdings(),
            entitlement: Entitlement(.expired, expiresAt: 5)
        )
        let sessions = [
            DeviceSession(
                id: id(3),
                name: "Firefox on Linux",
                signedInAt: 1_795_262_400,
                seenAt: 1_795_266_000,
                isThisDevice: true
            ),
            DeviceSession(
                id: id(4),
                name: "Phone",
                signedInAt: 1_795_262_400,
                seenAt: 1_795_262_400,
                isThisDevice: false,
                isLocked: true
            ),
        ]
        func signIn(
            _ name: String,
            _ credentials: Credentials,
            _ device: NewDevice,
            _ answer: SignedIn,
            from: String
        )
            throws -> WireSample
        {
            let request = SignInRequest(credentials, device)
            return try WireSample(name, Endpoints.signIn, request, answer, Caller(from: from))
        }
        let password = Credentials.password(email: "anna@x.test", password: "correct / \"horse\"")
        let newcomer = Credentials.newAccount(email: "anna@x.test", password: "p")
        let idToken = Credentials.idToken("h.p.s", nonce: "n", accessToken: "at")
        let idTokenAlone = Credentials.idToken("h.p.s", nonce: "n", accessToken: nil)
        return [
            try signIn("signIn password", password, device, signedIn, from: "192.0.2.1"),
            try signIn("signIn new", newcomer, known, signedInBare, from: ""),
            try signIn("signIn idToken", idToken, device, signedIn, from: "192.0.2.1"),
            try signIn("signIn idToken2", idTokenAlone, device, signedIn, from: "192.0.2.1"),
            try WireSample("account", Endpoints.account, (), report, caller),
            try WireSample("account bare", Endpoints.account, (), reportBare, caller),
            try WireSample(
                "changePassword",
                Endpoints.changePassword,
                PasswordUpdate(from: "old", to: "new", locksOthers: true),
                (),
                checked
            ),
            try WireSample(
                "changePassword2",
                Endpoints.changePassword,
                PasswordUpdate(from: "old", to: "new", locksOthers: false),
                (),
                checked
            ),
            // The e-mail address is ignored, and so not sent.
            try WireSample("confirm", Endpoints.confirm, .password(email: "", password: "p"), (), checked),
            try WireSample("confirm idToken", Endpoints.confirm, idTokenAlone, (), checked),
            try WireSample("devices", Endpoints.devices, (), sessions, caller),
            try WireSample(
                "signOutDevice",
                Endpoints.signOutDevice,
                DeviceSignOut(id(3), erases: false),
                (),
                caller
            ),
            try WireSample(
                "signOutDevice erase",
                Endpoints.signOutDevice,
                DeviceSignOut(id(3), erases: true),
                (),
                caller
            ),
            try WireSample("signOut", Endpoints.signOut, (), (), caller),
            try WireSample("deleteData", Endpoints.deleteData, (), (), caller),
            try WireSample("deleteAccount", Endpoints.deleteAccount, (), (), caller),
        ]
    }

    private static func sync() throws -> [WireSample] {
        let (token, other) = (try token(), try token("b"))
        let caller = Caller(token)
        let digits = String(repeating: "0", count: 31)
        let operations = [
            SyncCore.Operation(
                n: 1,
                opID: digits + "1",
                tx: 1,
                action: .create,
                kind: "account",
                id: id(11),
                fields: [
                    "name": "Caf\u{e9} \"x\"\n", "opening": -5, "note": nil,
                    "future": .other(#"{"x":[1.5]}"#),
                ]
            ),
            SyncCore.Operation(
                n: 2,
                opID: digits + "2",
                tx: 2,
                action: .patch,
                kind: "account",
                id: id(11),
                fields: ["opening": 7],
                base: ["opening": 1]
            ),
            SyncCore.Operation(
                n: 3,
                opID: digits + "3",
                tx: 2,
                action: .delete,
                kind: "account",
                id: id(12),
                base: ["*": 4]
            ),
        ]
        let writers = RowChange.Writers(
            at: 1_795_262_400,
            last: "Phone",
            creator: "Laptop",
            fields: ["note": "Tablet", "name": "Desk"],
            unseen: ["opening", "name"]
        )
        let page = ChangesPage(
            epoch: 1,
            head: 9,
            cursor: 8,
            next: "account/x",
            hasMore: true,
            remaining: 12,
            lastN: 3,
            rows: [
                RowChange(
                    seq: 4,
                    kind: "account",
                    id: id(11),
                    fields: ["name": "Bar", "opening": 9],
                    versions: #"{"*":1,"name":4}"#,
                    writers: writers
                ),
                RowChange(
                    seq: 6,
                    kind: "account",
                    id: id(12),
                    isDeleted: true,
                    fields: [:],
                    versions: #"{"*":6}"#
                ),
            ],
            hash: RowsHash("00000000000000ff")
        )
        let pageBare = ChangesPage(
            epoch: 1,
            head: 9,
            cursor: 9,
            hasMore: false,
            remaining: 0,
            lastN: 3,
            rows: []
        )
        let results = [
            OperationResult(n: 1, seq: 7, status: .applied),
            OperationResult(n: 2, seq: 8, status: .applied, conflict: id(20)),
            OperationResult(n: 3, seq: 9, status: .rejected, code: .unknownRow),
        ]
        let news: [SignalsAnswer.SessionNews] = [
            .init(key: 1, .success(Head(epoch: 1, seq: 7))), .init(key: 2, .failure(.sessionLocked)),
            .init(key: 3, .failure(.sessionErased)), .init(key: 4, .failure(.accountGone)),
            .init(key: 5, .failure(.subscriptionRequired(drainUntil: nil))),
            .init(key: 6, .failure(.sessionRevoked)),
        ]
        let entries: [SignalsRequest.Entry] = [
            .init(key: 1, token: token, seen: nil), .init(key: 2, token: other, seen: Head(epoch: 1, seq: 5)),
            .init(key: 3, seen: Head(epoch: 1, seq: 6)),
        ]
        let head = Head(epoch: 1, seq: 9)
        return [
            try WireSample(
                "push",
                Endpoints.push,
                PushBatch(replica: id(5), epoch: 1, seen: 2, cursor: 3, operations: operations),
                PushAnswer(epoch: 1, head: 9, lastN: 3, results: results, isOlder: true, changes: page),
                caller
            ),
            try WireSample(
                "push bare",
                Endpoints.push,
                PushBatch(replica: id(5), epoch: 1, operations: []),
                PushAnswer(epoch: 1, head: 9, lastN: 3, results: []),
                caller
            ),
            try WireSample(
                "changes",
                Endpoints.changes,
                ChangesQuery(replica: id(5), epoch: 1, range: .since(7), limit: 100, lastN: 3, seen: 2),
                page,
                caller
            ),
            try WireSample(
                "changes snapshot",
                Endpoints.changes,
                ChangesQuery(
                    replica: id(5),
                    epoch: 1,
                    range: .snapshot(from: "account/x"),
                    limit: 1000,
                    lastN: 0
                ),
                pageBare,
                caller
            ),
            try WireSample(
                "signal",
                Endpoints.signal,
                SignalRequest(seen: nil, waitSeconds: 0),
                head,
                caller
            ),
            try WireSample(
                "signal seen",
                Endpoints.signal,
                SignalRequest(seen: head, waitSeconds: 2),
                head,
                caller
            ),
            try WireSample(
                "signals",
                Endpoints.signals,
                SignalsRequest(watch: "w1", waitSeconds: 2, set: entries, drop: [4, 5]),
                SignalsAnswer(watch: "w1", news: news),
                Caller()
            ),
            try WireSample(
                "signals bare",
                Endpoints.signals,
                SignalsRequest(watch: nil, waitSeconds: 0),
                SignalsAnswer(watch: nil),
                Caller()
            ),
            try WireSample(
                "detach",
                Endpoints.detach,
                DetachMessage(replica: id(5), lastN: 3),
                (),
                caller
            ),
        ]
    }
}
