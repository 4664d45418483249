// The words of errors, effects and requests in the log.

import Lifecycle

extension DevicesError: CustomStringConvertible {
    /// A few words for the log.
    public var description: String {
        switch self {
        case .book(let error): "\(error)"
        case .store(let error): "\(error)"
        case .folder(let error): "\(error)"
        case .noRoomForGuests: "guests use all the disk space that --guest-bytes and the free space allow"
        case .tooManyGuests: "there are as many guests as --max-guests allows"
        case .tooManyFromAddress: "one address has made as many guests as --max-guests-per-hour allows"
        case .busy: "the device is busy with something that cannot be taken back"
        case .signInRefused(let refusal): "\(refusal)"
        case .secret(let text): text
        case .noDeviceStore(let path): "\(path) is missing beside books"
        }
    }
}

extension SignInRefusal: CustomStringConvertible {
    /// A few words for the log.
    public var description: String {
        switch self {
        case .otherUser: "another user is signed in on the device"
        case .notNow: "the device is busy with something that cannot be taken back"
        }
    }
}

extension CloudTask: CustomStringConvertible {
    /// A few words for the log.
    var description: String {
        switch self {
        case .verifyAccount: "asking about the account"
        case .deleteServerData: "deleting the data on the cloud"
        case .deleteAccount: "deleting the account"
        case .loadFirstPage: "loading the first page"
        }
    }
}

extension Effect {
    /// A few words for the log, without the effect's values.
    var words: String {
        switch self {
        case .gatherContext: "opening the book"
        case .seedDefaults: "writing the first accounts and categories"
        case .clearBook: "emptying the book"
        case .verifyAccount: "asking about the account"
        case .moveToAccount: "moving the book to the account"
        case .skipOnboarding: "skipping the onboarding"
        case .attachSync: "attaching sync"
        case .detachSync: "detaching sync"
        case .runSync: "starting sync"
        case .drainQueue: "sending what waits"
        case .endSession: "ending the session"
        case .signOut: "signing out"
        case .deleteServerData: "deleting the data on the cloud"
        case .deleteAccount: "deleting the account"
        case .announce: "telling the user"
        }
    }
}
