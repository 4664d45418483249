// The events of a device, the steps that its machine wants done, and their outcomes.

import DeviceStore
import Entitlements
import Ledger
import Lifecycle
import SyncCore
import SyncEngine

/// Something that a device is told. Its owner handles one after the other. Times are UTC seconds.
enum DeviceEvent: Sendable {
    /// The process has read the device from its store: the lifecycle goes on.
    case loaded(at: Int64)
    /// A decision of the user's.
    case lifecycle(Event)
    /// A step of the onboarding was answered.
    case answered(OnboardingStep)
    /// A sign-in succeeded.
    case signedIn(Session, isExisting: Bool)
    /// The user's own switch.
    case syncSwitched(Bool, at: Int64)
    /// The subscription was verified with this token.
    case verified(AccountReport, SessionToken, at: Int64)
    /// The cloud does not accept this token any more.
    case tokenRefused(SessionToken, SessionEnding)
    /// The operator has ended the session, if there is one.
    case endedHere(SessionEnding)
    /// A cloud task has ended, which was begun in that generation of the state.
    case cloudTaskEnded(CloudTask, CloudTask.Outcome, generation: Int, at: Int64)
    /// The user does not want to wait for the next try of a cloud task.
    case cloudTaskHurried
    /// Sync has ended by itself.
    case syncEnded(SyncEnd, run: Int)
    /// No upload has succeeded for a while although the queue is to be emptied.
    case drainStalled(run: Int)
    /// All changes are on the cloud, and the user wanted to sign out then.
    case leftOnceSent
    /// The data on the cloud was deleted elsewhere, and the user wants all that is here to go up.
    case syncStartedAnew
}

/// An effect of the lifecycle that waits for the cloud. It runs beside the requests, one at a time for a device, and
/// ends when the lifecycle leaves the state that asked for it.
enum CloudTask: Hashable, Sendable {
    case verifyAccount, deleteServerData, deleteAccount

    /// The cloud's answer.
    enum Outcome: Sendable {
        case report(AccountReport)
        case done
        case sessionEnded(SessionEnding)
        /// It was not done; the key is for store and log.
        case failed(what: String)
    }
}

/// Something that a machine wants done outside of its owner's lock.
enum DeviceStep: Sendable {
    /// Count what the cloud has not got: answered by `counted`.
    case countWaiting
    /// Keep the next state, and what changes with it.
    case store(StateChange)
    /// Keep what is known of the session.
    case storeSession(Session)
    /// Keep the step of the onboarding that comes next.
    case storeOnboarding(OnboardingStep)
    /// Run an effect of the lifecycle that needs no answer of the cloud: answered by `ran`.
    case effect(Effect)
    /// Leave nothing of the user who was signed in: an empty book, another guest, the first page.
    case startOver(StartOver)
    /// Attach the book anew to a cloud whose data was deleted elsewhere.
    case rejoin
    /// Another cookie is due, whoever comes next.
    case expireCookie
    /// Tell the cloud of a session that no device took.
    case revoke(SessionToken)
    /// Tell the cloud of the sessions that have ended.
    case revokeEnded
    case begin(CloudTask, Session?, generation: Int)
    case cancelCloudTask
    case stopSync
    case log(String)
    /// Tell the event's sender its result.
    case complete(ticket: Int, SendResult)
}

/// The result of an event.
enum SendResult: Hashable, Sendable {
    case handled
    /// The state does not name it: nothing was changed.
    case ignored
    case failed(DevicesError)
}

/// The next state of a lifecycle, as it is kept.
struct StateChange: Sendable {
    enum SessionChange: Sendable {
        case keep, end
        case begin(Session)
    }

    let from: State
    let to: State
    /// The event that led there, as in the log of transitions.
    let event: String
    let session: SessionChange
    let completesOnboarding: Bool
}

/// How a device becomes a fresh guest's.
struct StartOver: Sendable {
    let reason: SignOutReason
    /// Whether the cloud knows already that the session is over.
    let isSessionEnded: Bool
}

/// The result of a step.
enum StepOutcome: Sendable {
    case done
    /// So many changes wait for the cloud, and so many it has refused.
    case counted(pending: Int, refused: Int)
    /// Kept, at this time.
    case stored(at: Int64)
    /// The event that an effect leads to, and the effect's change of the session.
    case ran(Event?, SessionUpdate)
    /// Another guest's device from now on, and what that leads to.
    case startedOver(guest: EntityID, Event?)
    case failed(DevicesError, at: Int64)

    /// The effect's change of the session.
    enum SessionUpdate: Sendable {
        case none
        case attached(Bool)
    }
}
