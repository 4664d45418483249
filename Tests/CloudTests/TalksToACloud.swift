// Requests to a cloud, for the tests of sync.
import CloudProtocol
import Ledger
import SyncCore

@testable import Cloud

/// A suite that sends operations and asks for changes.
protocol TalksToACloud {}

extension TalksToACloud {
    func number(_ low: UInt64) -> EntityID { EntityID(high: 7, low: low) }

    func create(_ n: Int64, _ id: UInt64, _ fields: Fields = ["name": "A"], op: Int64? = nil)
        -> SyncCore.Operation
    {
        operation(n, .create, id, fields, op: op)
    }

    func operation(
        _ n: Int64,
        _ action: SyncCore.Operation.Action,
        _ id: UInt64,
        _ fields: Fields = [:],
        base: Fields = [:],
        kind: String = "account",
        op: Int64? = nil
    ) -> SyncCore.Operation {
        let hex = String(op ?? n, radix: 16)
        return SyncCore.Operation(
            n: n,
            opID: String(repeating: "0", count: 32 - hex.count) + hex,
            tx: n,
            action: action,
            kind: kind,
            id: number(id),
            fields: fields,
            base: base
        )
    }

    func batch(_ replica: UInt64, _ operations: [SyncCore.Operation], epoch: Int64 = 1) -> PushBatch {
        PushBatch(replica: number(replica), epoch: epoch, operations: operations)
    }

    func since(
        _ cursor: Int64,
        replica: UInt64 = 99,
        lastN: Int64 = 0,
        limit: Int = 100,
        epoch: Int64 = 1
    )
        -> ChangesQuery
    {
        ChangesQuery(
            replica: number(replica),
            epoch: epoch,
            range: .since(cursor),
            limit: limit,
            lastN: lastN
        )
    }

    /// A signed-in user with premium.
    func premium(_ cloud: CloudUnderTest, _ name: String = "anna", on device: String = "Test")
        async throws -> SessionToken
    {
        let signedIn = try await cloud.signIn(name, on: device)
        try cloud.directory.grant(signedIn.user.id, until: nil)
        return signedIn.token
    }
}
