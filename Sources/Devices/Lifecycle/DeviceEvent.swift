// The events of a device, the steps that its machine needs performed, and their outcomes.

import CloudProtocol
import DeviceStore
import Entitlements
import Ledger
import Lifecycle
import SyncEngine

/// An event of a device. The device handles one after the other. Times are UTC seconds.
enum DeviceEvent: Sendable {
    /// The process has read the device from its store: the lifecycle is to be resumed.
    case loaded(at: Int64)
    /// A decision of the user.
    case lifecycle(Event)
    /// The user answered a step of the onboarding.
    case answered(OnboardingStep)
    /// A sign-in succeeded.
    case signedIn(Session, isExisting: Bool)
    /// The user turned sync on or off.
    case syncSwitched(Bool, at: Int64)
    /// The subscription was verified with this token.
    case verified(UserAccountReport, SessionToken, at: Int64)
    /// The cloud rejected this token.
    case tokenRefused(SessionToken, SessionEnding)
    /// The operator ended the session, if there is one.
    case endedHere(SessionEnding)
    /// A cloud task ended that was started in that generation of the state.
    case cloudTaskEnded(CloudTask, CloudTask.Outcome, generation: Int, at: Int64)
    /// The user asked to repeat a cloud task at once.
    case cloudTaskHurried
    /// Sync ended by itself.
    case syncEnded(SyncEnd, run: Int)
    /// No upload has succeeded within the time limit while the queue is being drained.
    case drainStalled(run: Int)
    /// All changes are uploaded, and the user chose to sign out at that point.
    case leftOnceSent
    /// The user left the page of the download that is under way.
    case downloadLeft
    /// The data on the cloud was deleted elsewhere, and the user chose to upload the book.
    case syncStartedAnew
}

/// An effect of the lifecycle that waits for the cloud. It runs beside the requests, one at a time for a
/// device, and ends when the lifecycle leaves the state that started it.
enum CloudTask: Hashable, Sendable {
    case verifyAccount, deleteServerData, deleteAccount
    /// Loads the first page of a blocked account that has premium now.
    case loadFirstPage

    /// The cloud's answer.
    enum Outcome: Sendable {
        case report(UserAccountReport)
        case done
        case sessionEnded(SessionEnding)
        /// It failed; the key is for store and log.
        case failed(what: String)
    }
}

/// A step that a machine needs performed outside of the device's lock.
enum DeviceStep: Sendable {
    /// Count the changes that the cloud does not have: answered by `counted`.
    /// - Parameter isAlone: whether requests that use the book end first. No other request gets it until all steps of the
    ///   event are performed, so that the count stays right until then.
    case countWaiting(isAlone: Bool)
    /// Store the next state, and its changes of the session.
    case store(StateChange)
    /// Store the session's token, flags and entitlement.
    case storeSession(Session)
    /// Store the next step of the onboarding.
    case storeOnboarding(OnboardingStep)
    /// Run an effect of the lifecycle that does not wait for the cloud: answered by `ran`.
    case effect(Effect)
    /// Remove all data of the user: an empty book, a new guest, the first page.
    case startOver(StartOver)
    /// Attach the book again to a cloud whose data was deleted elsewhere.
    case rejoin
    /// Make the next request get another cookie.
    case expireCookie
    /// Revoke the token of a session that no device adopted.
    case revoke(SessionToken)
    /// Revoke the tokens of ended sessions.
    case revokeEnded
    case begin(CloudTask, Session?, generation: Int)
    case cancelCloudTask
    case stopSync
    case log(String)
    /// Return the result to the sender of the event.
    case complete(ticket: Int, SendResult)
}

/// The result of an event.
enum SendResult: Hashable, Sendable {
    case handled
    /// The state does not name the event: nothing was changed.
    case ignored
    case failed(DevicesError)
}

/// The next state of a lifecycle, as it is stored.
struct StateChange: Sendable {
    let from: State
    let to: State
    /// The event of the transition, for the log of transitions.
    let event: String
    let session: SessionChange<Session>
    let completesOnboarding: Bool
    /// The messages of the transition, in the order in which they are shown.
    let announcements: [Announcement]
}

/// The parameters of resetting a device for a new guest.
struct StartOver: Sendable {
    let reason: SignOutReason
    /// Whether the cloud knows already that the session has ended.
    let isSessionEnded: Bool
}

/// The result of a step.
enum StepOutcome: Sendable {
    case done
    /// The numbers of changes that wait for the cloud, and that it has refused.
    case counted(pending: Int, refused: Int)
    /// Stored at this time.
    case stored(at: Int64)
    /// The event that follows from an effect, and the effect's change of the session.
    case ran(Event?, SessionUpdate)
    /// The device's new guest, and the event that follows.
    case startedOver(guest: EntityID, Event?)
    case failed(DevicesError, at: Int64)

    /// The effect's change of the session.
    enum SessionUpdate: Sendable {
        case none
        /// Whether the book is attached, the rows that the cloud holds for a detached book, until the cloud is asked, and
        /// whether a download begins.
        case attached(Bool, leaving: Holdings? = nil, beginsDownload: Bool = false)
    }
}
