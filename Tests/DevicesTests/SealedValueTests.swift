// The content of sealed values: entitlements and pending sign-ins, of this version and of others.
import CloudProtocol
import DeviceStore
import Encoding
import Entitlements
import Ledger
import TestKit
import Testing

@testable import Devices

@Suite struct SealedValues {
    private let server = DeviceServer()
    private let seal = Seal(key: Array(repeating: 7, count: 32))
    private let device = EntityID(high: 0, low: 1)

    private func session(_ text: String) -> Session {
        let record = SessionRecord(
            user: server.user("anna"),
            sealedToken: [],
            isRevoked: false,
            isAttached: false,
            wantsSync: true,
            sealedEntitlement: seal.close(Array(text.utf8), for: device, .entitlement),
            holdings: Holdings()
        )
        return Session(record, of: device, seal)
    }

    @Test(
        arguments: [
            (
                #"{"entitlement":{"status":"none","willRenew":false},"verifiedAt":-5}"#, Entitlement(.none),
                -5
            ),
            (
                #"{"entitlement":{"expiresAt":9,"status":"active","willRenew":true},"verifiedAt":5}"#,
                Entitlement(.active, expiresAt: 9, willRenew: true), 5
            ),
        ] as [(String, Entitlement, Int64)]
    )
    func anEntitlementHasExactlyThisText(json: String, entitlement: Entitlement, at: Int64) throws {
        let expected = VerifiedEntitlement(entitlement, verifiedAt: at)
        #expect(session(json).entitlement == expected)
        let sealed = try #require(session(json).record(of: device, seal).sealedEntitlement)
        #expect(seal.open(sealed, for: device, .entitlement) == Array(json.utf8))
    }

    @Test(arguments: [
        "", "{}", #"{"entitlement":{"status":"gold","willRenew":false},"verifiedAt":5}"#,
        #"{"entitlement":{"status":"active"},"verifiedAt":5}"#,
        #"{"entitlement":{"status":"active","willRenew":false}}"#,
        #"{"entitlement":{"status":"active","until":9,"willRenew":false},"verifiedAt":5}"#,
        "1 active 5 -",
    ])
    func anEntitlementOfAnotherVersionIsNone(text: String) { #expect(session(text).entitlement == nil) }

    @Test func aPendingSignInHasExactlyThisText() throws {
        let devices = try server.open()
        let cookie = devices.newToken().hash
        let nobody = EntityID(high: 0, low: 0)
        let pending = PendingSignIn(
            state: "s",
            nonce: "n",
            verifier: "v",
            redirect: "https://x.test/sign-in/callback",
            expiresAt: noon + 600
        )
        let content =
            #""pending":{"expiresAt":\#(noon + 600),"nonce":"n","#
            + #""redirect":"https://x.test/sign-in/callback","state":"s","verifier":"v"},"#
        let text = #"{"cookie":"\#(Hex.encode(cookie.bytes))",\#(content)"purpose":"accountDeletion"}"#
        let closed = try #require(devices.closed(pending, for: cookie, .accountDeletion))
        let sealed = try #require(Hex.decode(closed))
        #expect(devices.services.seal.open(sealed, for: nobody, .signIn) == Array(text.utf8))
        #expect(devices.pendingSignIn(closed, for: [cookie])?.1 == .accountDeletion)
        // A text of another version, that of version 0.1 among them, is refused like one that is too old.
        let words = cookie.bytes + [1 as UInt8] + Array("s n v \(noon + 600) https://x.test/".utf8)
        let others = [
            "", text.replacing("accountDeletion", with: "other"), text.replacing(#""nonce":"n","#, with: ""),
            text.replacing(#""state""#, with: #""scope":"x","state""#),
        ]
        for other in others.map({ Array($0.utf8) }) + [words] {
            let closed = try #require(devices.services.seal.close(other, for: nobody, .signIn))
            #expect(devices.pendingSignIn(Hex.encode(closed), for: [cookie]) == nil)
        }
    }
}
