// The device's machine as a value: its steps, their order, and that it always becomes idle.
import CloudProtocol
import Entitlements
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct AMachine {
    private static let user = UserAccount(
        id: EntityID(high: 1, low: 1),
        email: "anna@x.test",
        name: nil,
        createdAt: noon,
        hasPassword: true
    )

    private static func session(_ user: UserAccount = user, token: SessionToken? = token()) -> Session {
        Session(user: user, token: token, sealedToken: [1], entitlement: nil)
    }

    private static func token() -> SessionToken {
        var random = SplitMix(seed: 1)
        return SessionToken(using: &random)
    }

    private static func machine(_ state: State, session: Session? = nil) -> DeviceMachine {
        DeviceMachine(
            state,
            onboarding: .done,
            guest: EntityID(high: 2, low: 2),
            session: session,
            at: noon
        )
    }

    /// Performs steps as a disk does that never fails; what an effect leads to is what it leads to.
    private static func outcome(of step: DeviceStep, findings: Findings = Findings()) -> StepOutcome {
        switch step {
        case .store, .storeSession, .storeOnboarding: .stored(at: noon)
        case .countWaiting(_): .counted(pending: 0, refused: 0)
        case .startOver: .startedOver(guest: EntityID(high: 3, low: 3), nil)
        case .effect(let effect):
            switch effect {
            case .gatherContext: .ran(.initComplete(findings), .none)
            case .seedDefaults: .ran(.seedingComplete(isPremium: false), .none)
            case .moveToAccount: .ran(.migrationComplete(isPremium: false), .none)
            case .signOut: .startedOver(guest: EntityID(high: 3, low: 3), .signOutComplete)
            case .attachSync: .ran(.schemaSwitchComplete, .attached(true))
            case .detachSync: .ran(.schemaSwitchComplete, .attached(false))
            default: .done
            }
        default: .done
        }
    }

    /// Performs all steps of the machine, and returns them.
    @discardableResult
    private static func drive(_ machine: inout DeviceMachine, findings: Findings = Findings()) -> [String] {
        var steps: [String] = []
        while let step = machine.next() {
            steps.append(String(describing: step).prefix { $0 != "(" }.description)
            machine.finish(outcome(of: step, findings: findings))
        }
        return steps
    }

    @Test func whatItIsToldIsDoneInOrderAndTheSenderHearsOfItLast() {
        var machine = Self.machine(.uninitialized)
        let mustDrive = [7, 8].map { machine.send(.lifecycle(.retry), ticket: $0, at: noon) }
        #expect(mustDrive == [true, false], "the first sender sees to it, also to what the second one wants")
        let steps = Self.drive(&machine)
        #expect(
            steps == [
                "store", "cancelCloudTask", "stopSync", "effect", "store", "cancelCloudTask", "stopSync",
                "log",
                "complete", "log", "complete",
            ]
        )
        #expect(machine.isIdle && machine.state == .localOnly(nil, isAttached: false))
    }

    /// Events take turns, so that the lifecycle never meets a sign-in in the middle of the seeding.
    @Test func aSignInDuringTheSeedingWaitsForItsEnd() {
        for isExisting in [false, true] {
            var machine = Self.machine(.onboarding(nil))
            _ = machine.send(.lifecycle(.retry), ticket: nil, at: noon)
            var states: [String] = []
            while let step = machine.next() {
                if case .effect(.seedDefaults) = step {
                    let mustDrive = machine.send(
                        .signedIn(Self.session(), isExisting: isExisting),
                        ticket: nil,
                        at: noon
                    )
                    #expect(!mustDrive && machine.state.name == "seeding_guest")
                }
                if case .store(let change) = step { states.append(change.to.name) }
                machine.finish(Self.outcome(of: step))
            }
            let end = isExisting ? ["verifying_account"] : ["migrating_guest_to_auth", "local_only"]
            #expect(states == ["seeding_guest", "local_only"] + end)
            #expect(machine.session?.user == Self.user)
        }
    }

    @Test func aStateIsNotEnteredBeforeItIsStored() {
        var machine = Self.machine(.localOnly(nil, isAttached: false))
        _ = machine.send(.signedIn(Self.session(), isExisting: true), ticket: 1, at: noon)
        while let step = machine.next() {
            if case .store(let change) = step, change.event == "USER_AUTHENTICATED" {
                #expect(machine.state.name == "local_only" && machine.session == nil)
                machine.finish(.failed(.book(.diskFull), at: noon))
            } else {
                if case .complete(let ticket, let error) = step {
                    #expect(ticket == 1 && error == .failed(.book(.diskFull)))
                }
                machine.finish(Self.outcome(of: step))
            }
        }
        #expect(machine.state.name == "local_only" && machine.session == nil)
    }

    @Test func aCloudTasksAnswerCountsInTheStateThatAskedForItOnly() {
        var machine = Self.machine(.localOnly(nil, isAttached: false))
        _ = machine.send(.signedIn(Self.session(), isExisting: true), ticket: nil, at: noon)
        var generations: [Int] = []
        while let step = machine.next() {
            if case .begin(.verifyAccount, _, let generation) = step { generations.append(generation) }
            machine.finish(Self.outcome(of: step))
        }
        #expect(machine.state.name == "verifying_account" && generations.count == 1)
        #expect(machine.isIdle && !machine.isCloudIdle)
        _ = machine.send(.lifecycle(.verificationCancelled), ticket: nil, at: noon)
        Self.drive(&machine)
        _ = machine.send(
            .cloudTaskEnded(
                .verifyAccount,
                .sessionEnded(.accountGone),
                generation: generations[0],
                at: noon
            ),
            ticket: nil,
            at: noon
        )
        Self.drive(&machine)
        #expect(machine.state == .localOnly(nil, isAttached: false) && machine.isCloudIdle)
    }

    @Test func anotherUserIsRefusedAndTheirSessionRevoked() {
        var machine = Self.machine(.localOnly(nil, isAttached: false), session: nil)
        _ = machine.send(.signedIn(Self.session(), isExisting: false), ticket: nil, at: noon)
        Self.drive(&machine)
        let bob = UserAccount(
            id: EntityID(high: 9, low: 9),
            email: nil,
            name: nil,
            createdAt: noon,
            hasPassword: true
        )
        _ = machine.send(.signedIn(Self.session(bob), isExisting: true), ticket: 3, at: noon)
        var refusal: SendResult?
        var isRevoked = false
        while let step = machine.next() {
            if case .revoke = step { isRevoked = true }
            if case .complete(3, let error) = step { refusal = error }
            machine.finish(Self.outcome(of: step))
        }
        #expect(refusal == .failed(.signInRefused(.otherUser)) && isRevoked)
        #expect(machine.session?.user == Self.user)
    }

    @Test func aDeviceThatCannotBeLoadedTellsEverybodyAndTriesAgainWithTheNextEvent() {
        var machine = Self.machine(.uninitialized)
        _ = machine.send(.lifecycle(.retry), ticket: 1, at: noon)
        _ = machine.send(.lifecycle(.retry), ticket: 2, at: noon)
        var told: [Int: SendResult] = [:]
        while let step = machine.next() {
            if case .complete(let ticket, let error) = step {
                told[ticket] = error
                machine.finish(.done)
            } else if case .store = step {
                machine.finish(.failed(.book(.readOnly), at: noon))
            } else {
                machine.finish(Self.outcome(of: step))
            }
        }
        #expect(told == [1: .failed(.book(.readOnly)), 2: .failed(.book(.readOnly))])
        #expect(!machine.isIdle)
        _ = machine.send(.loaded(at: noon), ticket: 3, at: noon)
        Self.drive(&machine)
        #expect(machine.isIdle && machine.state == .localOnly(nil, isAttached: false))
    }

    @Test func aQueueThatHasNowhereToGoAnyMoreIsNotDrainedForEver() throws {
        let user = try #require(Self.session().userID)
        var machine = Self.machine(
            .draining(user, isStalled: false, mustSignIn: false),
            session: Self.session()
        )
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        Self.drive(&machine)
        // The data on the cloud was deleted on another device meanwhile.
        _ = machine.send(.syncEnded(.dataDeleted, run: machine.syncRun), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.state == .localOnly(user, isAttached: false))
    }

    /// The queue is being drained, and the user chose to sign out after that.
    private static func machineThatLeavesOnceDrained() throws -> DeviceMachine {
        var session = session()
        session.isAttached = true
        let user = try #require(session.userID)
        var machine = machine(.draining(user, isStalled: false, mustSignIn: false), session: session)
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        drive(&machine)
        machine.leavingTotal = 2
        return machine
    }

    @Test func theLastChangeOfAQueueIsFollowedByTheSignOutThatWaitedForIt() throws {
        var machine = try Self.machineThatLeavesOnceDrained()
        _ = machine.send(.syncEnded(.drained, run: machine.syncRun), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.session == nil && machine.leavingTotal == nil)
    }

    @Test func aSignOutThatWaitsEndsWithTheSyncThatItWaitsFor() throws {
        let user = try #require(Self.session().userID)
        var machine = try Self.machineThatLeavesOnceDrained()
        _ = machine.send(.syncEnded(.uploadsRefused, run: machine.syncRun), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.state == .localOnly(user, isAttached: false) && machine.leavingTotal == nil)
        // Asked for where nothing goes up, it must not take for sent what is only here.
        machine.leavingTotal = 2
        _ = machine.send(.leftOnceSent, ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.state == .localOnly(user, isAttached: false))
    }

    @Test func nothingThatOneUserWantedIsLeftForTheNext() {
        var machine = Self.machine(.localOnly(nil, isAttached: false))
        _ = machine.send(.signedIn(Self.session(), isExisting: false), ticket: nil, at: noon)
        Self.drive(&machine)
        // Anna chose to leave once all changes are uploaded, and then leaves at once.
        machine.leavingTotal = 3
        _ = machine.send(.lifecycle(.userSignedOut), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.leavingTotal == nil && machine.session == nil)
    }

    @Test func aStoreThatFailsOnTheWayIsTriedAgainByTheNextRequest() {
        var machine = Self.machine(.localOnly(nil, isAttached: false))
        _ = machine.send(.signedIn(Self.session(), isExisting: false), ticket: 1, at: noon)
        while let step = machine.next() {
            if case .store(let change) = step, change.event == "MIGRATION_COMPLETE" {
                machine.finish(.failed(.book(.diskFull), at: noon))
            } else {
                machine.finish(Self.outcome(of: step))
            }
        }
        #expect(machine.state.name == "migrating_guest_to_auth" && !machine.isIdle)
        _ = machine.send(.loaded(at: noon), ticket: 2, at: noon)
        Self.drive(&machine)
        #expect(machine.isIdle && machine.state.name == "local_only" && machine.session != nil)
    }

    @Test func aDecisionThatCannotBeStoredLeavesADeviceAtRestWhereItIs() throws {
        let user = try #require(Self.session().userID)
        var machine = Self.machine(.synced(user, mustSignIn: true), session: Self.session())
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        var findings = Findings()
        (findings.user, findings.syncs, findings.isAttached) = (user, true, true)
        Self.drive(&machine, findings: findings)
        _ = machine.send(.lifecycle(.userSignedOut), ticket: 1, at: noon)
        while let step = machine.next() {
            if case .store = step {
                machine.finish(.failed(.book(.diskFull), at: noon))
            } else {
                machine.finish(Self.outcome(of: step))
            }
        }
        // Its pages can be read while nothing can be written.
        #expect(machine.isIdle && machine.state.name == "synced")
    }

    @Test func theEndOfTheOnboardingIsStoredWithTheStateThatFollows() {
        var machine = DeviceMachine(
            .onboarding(nil),
            onboarding: .calendar,
            guest: EntityID(high: 2, low: 2),
            session: nil,
            at: noon
        )
        _ = machine.send(.answered(.calendar), ticket: nil, at: noon)
        var completes: [Bool] = []
        while let step = machine.next() {
            if case .storeOnboarding = step {
                Issue.record("a process that ends after this locks the guest out")
            }
            if case .store(let change) = step { completes.append(change.completesOnboarding) }
            machine.finish(Self.outcome(of: step))
        }
        #expect(completes == [true, false] && machine.onboarding == .done)
    }

    @Test func anOnboardingThatEndedWithoutItsStateGoesOn() {
        var machine = Self.machine(.onboarding(nil))
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.state == .localOnly(nil, isAttached: false))
    }

    @Test func aNewerTokenStartsSyncAnewAndWhatTheOlderOneHeardNoLongerCounts() throws {
        let user = try #require(Self.session().userID)
        var machine = Self.machine(.synced(user, mustSignIn: false), session: Self.session())
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        var findings = Findings()
        (findings.user, findings.syncs, findings.isAttached) = (user, true, true)
        Self.drive(&machine, findings: findings)
        let run = machine.syncRun
        _ = machine.send(.signedIn(Self.session(), isExisting: true), ticket: nil, at: noon)
        let steps = Self.drive(&machine)
        #expect(steps.contains("stopSync") && steps.contains("effect") && machine.syncRun > run)
        _ = machine.send(.syncEnded(.sessionEnded(.revoked), run: run), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.session?.isRevoked == false && machine.state == .synced(user, mustSignIn: false))
    }

    /// The end of the session may be known while sync is still being attached: the state that follows gets it
    /// again.
    @Test func aSessionThatIsKnownToHaveEndedStillEndsTheSyncThatBegan() throws {
        let user = try #require(Self.session().userID)
        var ended = Self.session()
        (ended.isRevoked, ended.isLocked) = (true, true)
        var machine = Self.machine(.synced(user, mustSignIn: false), session: ended)
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        var findings = Findings()
        (findings.user, findings.syncs, findings.isAttached) = (user, true, true)
        Self.drive(&machine, findings: findings)
        #expect(machine.state == .synced(user, mustSignIn: false))
        _ = machine.send(.syncEnded(.sessionEnded(.revoked), run: machine.syncRun), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.state == .synced(user, mustSignIn: true) && machine.session?.isLocked == true)
        // The same is said time and again: nothing is written for it.
        _ = machine.send(.tokenRefused(Self.token(), .locked), ticket: nil, at: noon)
        #expect(Self.drive(&machine).isEmpty)
    }

    /// Another device has deleted the data, or the answer to a deletion was lost.
    @Test(arguments: [Entitlement.Status.none, .active])
    func aBlockedAccountWithoutDataContinuesWithAnEmptyBook(status: Entitlement.Status) throws {
        let user = try #require(Self.session().userID)
        var machine = Self.machine(.blocked(user), session: Self.session())
        let report = UserAccountReport(
            user: Self.user,
            holdings: Holdings(),
            entitlement: Entitlement(status)
        )
        _ = machine.send(.verified(report, Self.token(), at: noon), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.state.name != "blocked_no_sync", "\(machine.state)")
    }

    /// The person has asked for it here, and may have no other device.
    @Test(arguments: [false, true])
    func aDeletionWhoseAnswerWasLostIsToldAsOne(isOwn: Bool) throws {
        var session = Self.session()
        session.isDeletionUnanswered = isOwn
        let user = try #require(session.userID)
        var machine = Self.machine(.blocked(user), session: session)
        let report = UserAccountReport(
            user: Self.user,
            holdings: Holdings(),
            entitlement: Entitlement(.none)
        )
        _ = machine.send(.verified(report, Self.token(), at: noon), ticket: nil, at: noon)
        var announced: [Announcement] = []
        while let step = machine.next() {
            if case .store(let change) = step { announced += change.announcements }
            machine.finish(Self.outcome(of: step))
        }
        #expect(announced == [isOwn ? .ownDataDeleted : .noCloudBackup])
        #expect(machine.state == .localOnly(user, isAttached: false))
    }

    @Test func aBlockedAccountWithPremiumIsLetInOnceItsFirstPageIsHere() throws {
        let user = try #require(Self.session().userID)
        var machine = Self.machine(.blocked(user), session: Self.session())
        func verify(_ entitlement: Entitlement) -> [String] {
            var holdings = Holdings()
            holdings.accounts = 1
            let report = UserAccountReport(user: Self.user, holdings: holdings, entitlement: entitlement)
            _ = machine.send(.verified(report, Self.token(), at: noon), ticket: nil, at: noon)
            return Self.drive(&machine)
        }
        let begun = verify(Entitlement(.active))
        #expect(begun.contains("begin") && machine.cloudTask == .loadFirstPage)
        #expect(machine.state == .blocked(user))
        let repeated = verify(Entitlement(.active))
        #expect(repeated.isEmpty, "it is under way")
        let ended = verify(Entitlement(.none))
        #expect(ended.contains("cancelCloudTask") && machine.cloudTask == nil)
        _ = verify(Entitlement(.active))
        _ = machine.send(.cloudTaskHurried, ticket: nil, at: noon)
        #expect(Self.drive(&machine) == ["begin"])
        _ = machine.send(
            .cloudTaskEnded(.loadFirstPage, .done, generation: machine.generation, at: noon),
            ticket: nil,
            at: noon
        )
        Self.drive(&machine)
        #expect(machine.state == .synced(user, mustSignIn: false))
    }

    private static func premium(token: SessionToken? = token()) -> Session {
        var session = session(token: token)
        session.entitlement = VerifiedEntitlement(Entitlement(.active), verifiedAt: noon)
        return session
    }

    /// The attempt with the former token hears that its session has ended, which is no news about the newer one.
    @Test func aNewerTokenLoadsTheFirstPageAndTheFormerOneEndsNothing() throws {
        let user = try #require(Self.session().userID)
        var machine = Self.machine(.blocked(user), session: Self.premium())
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        let begun = Self.drive(&machine)
        #expect(begun.contains("begin"), "a restart continues by itself")
        let former = machine.generation
        _ = machine.send(.tokenRefused(Self.token(), .locked), ticket: nil, at: noon)
        Self.drive(&machine)
        #expect(machine.session?.isLocked == true)
        var random = SplitMix(seed: 2)
        let newer = SessionToken(using: &random)
        _ = machine.send(.signedIn(Self.premium(token: newer), isExisting: true), ticket: nil, at: noon)
        let anew = Self.drive(&machine)
        #expect(anew.contains("begin") && machine.session?.token == newer)
        for ending in SessionEnding.allCases {
            _ = machine.send(
                .cloudTaskEnded(.loadFirstPage, .sessionEnded(ending), generation: former, at: noon),
                ticket: nil,
                at: noon
            )
            Self.drive(&machine)
        }
        #expect(machine.state == .blocked(user) && machine.cloudTask == .loadFirstPage)
        #expect(machine.session?.isLocked == false && machine.session?.isRevoked == false)
    }

    @Test func aBlockedAccountIsLoadedWheneverItHasPremium() throws {
        let user = try #require(Self.session().userID)
        let failed = State.error(Failure(from: .deletingServerData(user), what: "cloud_failed", at: noon))
        for event in [DeviceEvent.cloudTaskHurried, .lifecycle(.dismissed)] {
            var machine = Self.machine(failed, session: Self.premium())
            _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
            _ = machine.send(.lifecycle(.dismissed), ticket: nil, at: noon)
            _ = machine.send(event, ticket: nil, at: noon)
            Self.drive(&machine)
            #expect(machine.state == .blocked(user) && machine.cloudTask == .loadFirstPage)
        }
        // The attempt has ended without a page, and its user asks for another one.
        var machine = Self.machine(.blocked(user), session: Self.premium())
        _ = machine.send(.loaded(at: noon), ticket: nil, at: noon)
        Self.drive(&machine)
        machine.cloudTask = nil
        _ = machine.send(.cloudTaskHurried, ticket: nil, at: noon)
        #expect(Self.drive(&machine) == ["begin"])
        // Without premium there is nothing to load.
        _ = machine.send(.signedIn(Self.session(), isExisting: true), ticket: nil, at: noon)
        let ended = Self.drive(&machine)
        #expect(ended.contains("cancelCloudTask") && machine.cloudTask == nil)
        _ = machine.send(.cloudTaskHurried, ticket: nil, at: noon)
        #expect(Self.drive(&machine).isEmpty)
    }

    @Test func theSenderHearsWhetherItsEventChangedAnything() {
        var machine = Self.machine(.localOnly(nil, isAttached: false))
        _ = machine.send(.lifecycle(.userSignedOut), ticket: 1, at: noon)
        var result: SendResult?
        while let step = machine.next() {
            if case .complete(1, let told) = step { result = told }
            machine.finish(Self.outcome(of: step))
        }
        #expect(result == .ignored)
    }

    @Test func whatIsAbandonedDoesNothingMoreAndNamesThoseWhoWait() {
        var machine = Self.machine(.uninitialized)
        _ = machine.send(.lifecycle(.retry), ticket: 1, at: noon)
        _ = machine.next()
        _ = machine.send(.lifecycle(.retry), ticket: 2, at: noon)
        let waiting = machine.abandon()
        #expect(waiting.sorted() == [1, 2])
        machine.finish(.stored(at: noon))
        if let step = machine.next() { Issue.record("it wants \(step)") }
    }

    @Test(arguments: 0..<200)
    func whateverItIsToldItComesToRestAndEveryTicketIsAnswered(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var machine = Self.machine(.uninitialized)
        var (sent, answered) = (0, 0)
        for _ in 0..<60 {
            for _ in 0...Int.random(in: 0...3, using: &random) {
                sent += 1
                _ = machine.send(event(machine, &random), ticket: sent, at: noon)
            }
            var steps = 0
            while let step = machine.next() {
                steps += 1
                guard steps < 1_000 else {
                    Issue.record("it never comes to rest (seed \(seed))")
                    return
                }
                if case .complete = step { answered += 1 }
                var findings = Findings()
                findings.user = machine.session?.userID
                findings.needsOnboarding = machine.onboarding < .done
                let fails = Int.random(in: 0..<12, using: &random) == 0
                if case .complete = step {
                    machine.finish(.done)
                } else if fails {
                    machine.finish(.failed(.book(.diskFull), at: noon))
                } else {
                    machine.finish(Self.outcome(of: step, findings: findings))
                }
            }
            #expect(answered == sent, "seed \(seed)")
        }
    }

    private func event(_ machine: DeviceMachine, _ random: inout SplitMix) -> DeviceEvent {
        let user = Self.user
        let report = UserAccountReport(
            user: user,
            holdings: Holdings(
                accounts: Int.random(in: 0...1, using: &random),
                transactions: 0,
                categories: 0,
                changedAt: nil
            ),
            entitlement: Entitlement(Bool.random(using: &random) ? .active : .none)
        )
        let ending = SessionEnding.allCases.randomElement(using: &random) ?? .revoked
        let events: [DeviceEvent] = [
            .lifecycle(.retry), .lifecycle(.userSignedOut), .lifecycle(.accountDeleteRequested),
            .lifecycle(.serverDataDeleteRequested), .lifecycle(.verificationCancelled),
            .lifecycle(.dismissed),
            .answered(.currency), .answered(.secondary), .answered(.calendar), .answered(.welcome),
            .signedIn(Self.session(), isExisting: true), .signedIn(Self.session(), isExisting: false),
            .syncSwitched(false, at: noon), .syncSwitched(true, at: noon),
            .verified(report, Self.token(), at: noon),
            .tokenRefused(Self.token(), ending), .cloudTaskHurried,
            .syncEnded(.drained, run: machine.syncRun),
            .syncEnded(.sessionEnded(ending), run: machine.syncRun),
            .drainStalled(run: machine.syncRun),
            .leftOnceSent, .syncStartedAnew, .loaded(at: noon),
            .cloudTaskEnded(.verifyAccount, .report(report), generation: machine.generation, at: noon),
            .cloudTaskEnded(.deleteAccount, .done, generation: machine.generation, at: noon),
            .cloudTaskEnded(.deleteServerData, .done, generation: machine.generation, at: noon),
            .cloudTaskEnded(.verifyAccount, .sessionEnded(ending), generation: machine.generation, at: noon),
            .cloudTaskEnded(.deleteAccount, .failed(what: "x"), generation: machine.generation, at: noon),
            .cloudTaskEnded(.loadFirstPage, .done, generation: machine.generation, at: noon),
            .cloudTaskEnded(.loadFirstPage, .sessionEnded(ending), generation: machine.generation, at: noon),
        ]
        return events[Int.random(in: 0..<events.count, using: &random)]
    }
}
