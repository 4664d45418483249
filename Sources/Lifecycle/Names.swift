// The names of states and events, for the log and the markers in pages.

extension State {
    /// The name in documents, logs and markers, such as `local_only`.
    public var name: String {
        switch self {
        case .uninitialized: "uninitialized"
        case .initializing: "initializing"
        case .onboarding: "onboarding"
        case .seedingGuest: "seeding_guest"
        case .localOnly: "local_only"
        case .verifyingAccount: "verifying_account"
        case .migratingGuest: "migrating_guest_to_auth"
        case .blocked: "blocked_no_sync"
        case .deletingServerData: "deleting_server_data"
        case .switchingToSync: "switching_to_sync"
        case .synced: "synced"
        case .draining: "draining_upload_queue"
        case .switchingToLocal: "switching_to_local"
        case .signingOut: "signing_out"
        case .deletingAccount: "deleting_account"
        case .error: "error"
        }
    }

    /// All names, in the order of the diagram.
    public static let names = [
        "uninitialized", "initializing", "onboarding", "seeding_guest", "local_only", "verifying_account",
        "migrating_guest_to_auth", "blocked_no_sync", "deleting_server_data", "switching_to_sync", "synced",
        "draining_upload_queue", "switching_to_local", "signing_out", "deleting_account", "error",
    ]
}

extension Event {
    /// The name in documents and logs, such as `APP_START`.
    public var name: String {
        switch self {
        case .appStart: "APP_START"
        case .initComplete: "INIT_COMPLETE"
        case .onboardingComplete: "ONBOARDING_COMPLETE"
        case .seedingComplete: "SEEDING_COMPLETE"
        case .userAuthenticated: "USER_AUTHENTICATED"
        case .accountVerified: "ACCOUNT_VERIFIED"
        case .verificationCancelled: "VERIFICATION_CANCELLED"
        case .migrationComplete: "MIGRATION_COMPLETE"
        case .subscriptionActivated: "SUBSCRIPTION_ACTIVATED"
        case .subscriptionExpired: "SUBSCRIPTION_EXPIRED"
        case .syncPreferenceChanged: "SYNC_PREFERENCE_CHANGED"
        case .queueDrained: "QUEUE_DRAINED"
        case .queueDrainTimeout: "QUEUE_DRAIN_TIMEOUT"
        case .schemaSwitchComplete: "SCHEMA_SWITCH_COMPLETE"
        case .userSignedOut: "USER_SIGNED_OUT"
        case .signOutComplete: "SIGN_OUT_COMPLETE"
        case .serverDataDeleteRequested: "SERVER_DATA_DELETE_REQUESTED"
        case .serverDataDeleted: "SERVER_DATA_DELETED"
        case .accountDeleteRequested: "ACCOUNT_DELETE_REQUESTED"
        case .accountDeleteComplete: "ACCOUNT_DELETE_COMPLETE"
        case .accountGone: "ACCOUNT_GONE"
        case .sessionRevoked: "SESSION_REVOKED"
        case .sessionErased: "SESSION_ERASED"
        case .error: "ERROR"
        case .retry: "RETRY"
        case .dismissed: "DISMISSED"
        }
    }
}
