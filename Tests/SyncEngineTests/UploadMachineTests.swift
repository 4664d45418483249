// The uploads of files: what is sent when, and what ends each wait.
import CloudProtocol
import Ledger
import TestKit
import Testing

@testable import SyncEngine

private typealias Machine = UploadMachine

private func file(_ digit: Character = "a", size: Int64 = 10) throws -> Machine.File {
    Machine.File(try #require(FileKey(String(repeating: digit, count: 64))), size: size)
}

private func machine() -> Machine {
    var machine = Machine(random: SplitMix(seed: 1))
    machine.handle(.operations(pending: 0), at: 0)
    return machine
}

private func progress(_ received: Int64, _ isComplete: Bool = false) -> Result<FileProgress, CloudError> {
    .success(FileProgress(received: received, isComplete: isComplete))
}

/// Passes the answer to the current request.
private func answer(_ machine: inout Machine, _ answer: Result<FileProgress, CloudError>, at now: Int64 = 0) {
    for number in 1...100 { machine.handle(.answer(answer, to: number), at: now) }
}

@Suite struct WhatAnUploadDoesNext {
    @Test func aFileIsAskedForAndSentPartByPart() throws {
        let most = Int64(FilePart.mostBytes)
        let file = try file(size: 2 * most + 5)
        var machine = machine()
        #expect(machine.next(at: 0) == .look && machine.next(at: 0) == nil)
        machine.handle(.found(file), at: 0)
        #expect(machine.next(at: 0) == .ask(file, number: 1) && machine.next(at: 0) == nil)
        answer(&machine, progress(most))
        #expect(machine.next(at: 0) == .record(file.key, .sent(most)))
        #expect(machine.next(at: 0) == .send(file, offset: most, count: Int(most), number: 2))
        answer(&machine, progress(2 * most))
        #expect(machine.next(at: 0) == .record(file.key, .sent(2 * most, wasRead: true)))
        #expect(machine.next(at: 0) == .send(file, offset: 2 * most, count: 5, number: 3))
        answer(&machine, progress(2 * most + 5, true))
        #expect(machine.next(at: 0) == .record(file.key, .uploaded))
        #expect(machine.next(at: 0) == .look && machine.isBusy)
        machine.handle(.found(nil), at: 7)
        #expect(machine.next(at: 7) == nil && !machine.isBusy)
        #expect(machine.wakeAt == Machine.checkPause, "the cloud may lose it")
        #expect(machine.next(at: 7 + Machine.lookPause) == .look)
    }

    @Test func aFileThatTheCloudHasIsNotSent() throws {
        let file = try file()
        var machine = machine()
        _ = machine.next(at: 0)
        machine.handle(.found(file), at: 0)
        _ = machine.next(at: 0)
        answer(&machine, progress(10, true))
        #expect(machine.next(at: 0) == .record(file.key, .uploaded))
    }

    @Test func operationsComeBeforeEachPart() throws {
        let file = try file(size: 2 * Int64(FilePart.mostBytes))
        var machine = Machine(random: SplitMix(seed: 1))
        #expect(machine.next(at: 0) == nil && machine.wakeAt == nil, "before the first status")
        machine.handle(.operations(pending: 1), at: 0)
        #expect(machine.next(at: 0) == nil)
        machine.handle(.operations(pending: 0), at: 0)
        #expect(machine.next(at: 0) == .look)
        machine.handle(.found(file), at: 0)
        _ = machine.next(at: 0)
        answer(&machine, progress(0))
        machine.handle(.operations(pending: 3), at: 0)
        #expect(machine.next(at: 0) == .record(file.key, .sent(0)))
        #expect(machine.next(at: 0) == nil && machine.wakeAt == nil)
        machine.handle(.operations(pending: 0), at: 0)
        #expect(machine.next(at: 0) == .send(file, offset: 0, count: FilePart.mostBytes, number: 2))
    }

    @Test func operationsThatComeInBetweenPostponeARequest() throws {
        let file = try file()
        var machine = machine()
        _ = machine.next(at: 0)
        machine.handle(.found(file), at: 0)
        #expect(machine.next(at: 0) == .ask(file, number: 1))
        machine.handle(.postponed, at: 0)
        #expect(machine.next(at: 0) == nil && machine.wakeAt == nil && machine.isBusy)
        machine.handle(.operations(pending: 0), at: 0)
        #expect(machine.next(at: 0) == .ask(file, number: 2))
    }

    @Test func aChangeOfTheBookCausesALook() throws {
        var machine = machine()
        _ = machine.next(at: 0)
        machine.handle(.found(nil), at: 0)
        #expect(machine.next(at: 1) == nil)
        machine.handle(.hurry, at: 1)
        #expect(machine.next(at: 1) == .look)
    }

    @Test func answersToEarlierRequestsAreIgnored() throws {
        let file = try file()
        var machine = machine()
        _ = machine.next(at: 0)
        machine.handle(.found(file), at: 0)
        _ = machine.next(at: 0)
        machine.handle(.answer(progress(10, true), to: 7), at: 0)
        #expect(machine.next(at: 0) == nil)
    }
}

@Suite struct WhatAnUploadDoesAfterAFailure {
    private func asked(_ file: Machine.File) -> Machine {
        var machine = machine()
        _ = machine.next(at: 0)
        machine.handle(.found(file), at: 0)
        _ = machine.next(at: 0)
        return machine
    }

    @Test(arguments: [CloudError.unreachable("x"), .timedOut("x"), .cutOff("x")])
    func itHalvesThePartsDownTo64KBUntilTheyArrive(error: CloudError) throws {
        let most = FilePart.mostBytes
        let file = try file(size: 50 * Int64(most))
        var machine = asked(file)
        var (now, sent): (Int64, Int64) = (0, 0)
        answer(&machine, progress(sent))
        /// The size of the next part, which gets an answer.
        func part(_ result: (Int) -> Result<FileProgress, CloudError>) throws -> Int {
            while true {
                now += Machine.longestPause
                machine.handle(.operations(pending: 0), at: now)
                switch machine.next(at: now) {
                case .ask: answer(&machine, progress(sent), at: now)
                case .record: continue
                case .send(_, _, let count, _):
                    answer(&machine, result(count), at: now)
                    return count
                case let other:
                    Issue.record("\(String(describing: other))")
                    return 0
                }
            }
        }
        let sizes = try (0..<8).map { _ in try part { _ in .failure(error) } }
        #expect(sizes.first == most && sizes.dropFirst().first == most / 2 && sizes.last == 64 << 10)
        let grown = try (0..<8).map { _ in
            try part { count in
                sent += Int64(count)
                return progress(sent)
            }
        }
        #expect(grown.first == 64 << 10 && grown.dropFirst().first == 128 << 10 && grown.last == most)
    }

    @Test(arguments: [CloudError.unreachable("x"), .timedOut("x"), .failed("x")])
    func itPausesAndAsksAgain(error: CloudError) throws {
        let file = try file()
        var machine = asked(file)
        for _ in 0..<20 {
            answer(&machine, .failure(error))
            let until = try #require(machine.wakeAt)
            #expect(until <= Machine.longestPause)
            guard case .ask = machine.next(at: Machine.longestPause) else { return #expect(Bool(false)) }
        }
        answer(&machine, .failure(error))
        machine.handle(.hurry, at: 0)
        guard case .ask = machine.next(at: 0) else { return #expect(Bool(false), "a change ends the pause") }
    }

    @Test(arguments: [
        (CloudError.file(.quotaExceeded(used: 1, quota: 2)), UploadFailure.quota(used: 1, limit: 2)),
        (.file(.fileTooLarge(max: 1)), .tooLarge(limit: 1)), (.malformed, .refused),
    ])
    func aRefusedFileIsNotTriedAgainAndTheNextOneIs(error: CloudError, failure: UploadFailure) throws {
        let (file, other) = (try file(), try file("b"))
        var machine = asked(file)
        answer(&machine, .failure(error))
        #expect(machine.next(at: 0) == .record(file.key, .failed(failure)))
        #expect(machine.next(at: 0) == .look)
        machine.handle(.found(other), at: 0)
        #expect(machine.next(at: 0) == .ask(other, number: 2))
    }

    @Test func otherContentIsSentOnceMore() throws {
        let file = try file()
        var machine = asked(file)
        answer(&machine, progress(0))
        #expect(machine.next(at: 0) == .record(file.key, .sent(0)))
        guard case .send = machine.next(at: 0) else { return #expect(Bool(false)) }
        answer(&machine, .failure(.file(.wrongContent)))
        guard case .ask = machine.next(at: Machine.longestPause) else { return #expect(Bool(false)) }
        answer(&machine, .failure(.file(.wrongContent)))
        #expect(machine.next(at: 0) == .record(file.key, .failed(.refused)), "it is sound here")
    }

    @Test func aFileThatIsDamagedHereIsNotSent() throws {
        let file = try file()
        var machine = asked(file)
        answer(&machine, progress(0))
        #expect(machine.next(at: 0) == .record(file.key, .sent(0)))
        guard case .send = machine.next(at: 0) else { return #expect(Bool(false)) }
        machine.handle(.damaged, at: 0)
        #expect(machine.next(at: 0) == .record(file.key, .failed(.wrongContent)))
        #expect(machine.next(at: 0) == .look)
    }

    @Test func aGapContinuesWhereTheCloudIs() throws {
        let file = try file()
        var machine = asked(file)
        answer(&machine, progress(6))
        #expect(machine.next(at: 0) == .record(file.key, .sent(6)))
        #expect(machine.next(at: 0) == .send(file, offset: 6, count: 4, number: 2))
        answer(&machine, .failure(.file(.fileGap(received: 2))))
        #expect(machine.next(at: Machine.longestPause) == .send(file, offset: 2, count: 8, number: 3))
    }

    @Test func aCloudThatConfirmsNothingIsNotAskedWithoutAPause() throws {
        let file = try file()
        var machine = asked(file)
        answer(&machine, progress(4))
        _ = machine.next(at: 0)
        _ = machine.next(at: 0)
        answer(&machine, progress(4), at: 1_000)
        #expect(machine.wakeAt ?? 0 >= 1_000)
        for _ in 0..<50 {
            guard machine.next(at: 1_000) != nil else { return }
            answer(&machine, progress(4), at: 1_000)
        }
        #expect(Bool(false), "no pause")
    }

    /// A proxy that refuses large requests, or a cloud whose disk is full.
    @Test func aCloudThatAnswersQuestionsAndTakesNoPartsIsAskedLessAndLessOften() throws {
        let file = try file()
        var machine = asked(file)
        var pauses: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<40 {
            answer(&machine, progress(0), at: now)
            guard case .record = machine.next(at: now), case .send = machine.next(at: now) else {
                return #expect(Bool(false), "a part follows the question")
            }
            answer(&machine, .failure(.failed("502")), at: now)
            let until = try #require(machine.wakeAt)
            pauses.append(until - now)
            now = until
            guard case .ask = machine.next(at: now) else { return #expect(Bool(false), "it asks again") }
        }
        #expect(machine.steps == 0)
        #expect(pauses.suffix(20).reduce(0, +) > 20 * Machine.longestPause / 4, "\(pauses)")
        answer(&machine, progress(0), at: now)
        _ = (machine.next(at: now), machine.next(at: now))
        answer(&machine, progress(5), at: now)
        #expect(machine.steps == 1)
    }

    @Test func aPauseThatTheCloudAsksForIsNotCutShort() throws {
        let file = try file()
        for (error, pause) in [
            (CloudError.busy(retryAfterSeconds: 9), 9_000),
            (.busy(retryAfterSeconds: 9_000), 3_600_000),
        ] {
            var machine = asked(file)
            answer(&machine, .failure(error))
            machine.handle(.hurry, at: 0)
            machine.handle(.retry, at: 0)
            #expect(machine.next(at: Int64(pause) - 1) == nil && machine.wakeAt == Int64(pause))
            #expect(machine.next(at: Int64(pause)) != nil)
        }
    }

    @Test(arguments: [CloudError.notSupported, .subscriptionRequired(drainUntil: nil)])
    func aCloudThatTakesNoFilesIsAskedOnceAnHourOrByItsUser(error: CloudError) throws {
        let file = try file()
        var machine = asked(file)
        answer(&machine, .failure(error))
        if error == .notSupported { #expect(machine.next(at: 0) == .record(file.key, .unsupported)) }
        machine.handle(.hurry, at: 0)
        #expect(machine.next(at: 3_599_999) == nil && machine.wakeAt == 3_600_000)
        var later = machine
        #expect(later.next(at: 3_600_000) == .ask(file, number: 2))
        machine.handle(.retry, at: 0)
        #expect(machine.next(at: 0) == .ask(file, number: 2))
    }

    @Test func aBookThatCannotBeOpenedIsLookedIntoAgainSoon() throws {
        var machine = machine()
        for _ in 0..<20 {
            #expect(machine.next(at: Machine.longestPause) == .look)
            machine.handle(.unavailable, at: 0)
            #expect(try #require(machine.wakeAt) <= Machine.longestPause, "and not after hours")
        }
    }

    @Test func aFileThatCannotBeOpenedForAMomentIsNotMissing() throws {
        let file = try file()
        var machine = asked(file)
        machine.handle(.unavailable, at: 0)
        #expect(machine.next(at: Machine.longestPause) == .ask(file, number: 2))
        answer(&machine, progress(4))
        _ = (machine.next(at: 0), machine.next(at: 0))
        machine.handle(.unavailable, at: 0)
        guard case .send(file, offset: 4, count: 6, _) = machine.next(at: Machine.longestPause) else {
            return #expect(Bool(false))
        }
    }

    /// The disk of the device is full: the cloud is asked about the same file again and again.
    @Test func anEndThatCannotBeStoredIsTriedLessAndLessOften() throws {
        let file = try file()
        var machine = asked(file)
        var (now, pauses) = (Int64(0), [Int64]())
        for _ in 0..<40 {
            answer(&machine, progress(10, true), at: now)
            #expect(machine.next(at: now) == .record(file.key, .uploaded))
            machine.handle(.unavailable, at: now)
            let until = try #require(machine.wakeAt)
            pauses.append(until - now)
            now = until
            #expect(machine.next(at: now) == .look)
            machine.handle(.found(file), at: now)
            guard case .ask = machine.next(at: now) else { return #expect(Bool(false)) }
        }
        #expect(pauses.suffix(20).reduce(0, +) > 20 * Machine.longestPause / 4, "\(pauses)")
    }

    @Test func aFileThatCannotBeReadIsReported() throws {
        let file = try file()
        var machine = asked(file)
        answer(&machine, progress(4))
        _ = machine.next(at: 0)
        _ = machine.next(at: 0)
        machine.handle(.unreadable, at: 0)
        #expect(machine.next(at: 0) == .record(file.key, .failed(.missing)))
    }

    @Test(arguments: SessionEnding.allCases) func theEndOfTheSessionIsTheEnd(ending: SessionEnding) throws {
        var machine = asked(try file())
        answer(&machine, .failure(CloudError(ending)))
        #expect(machine.next(at: 0) == .end(ending))
        machine.handle(.hurry, at: 0)
        #expect(machine.next(at: .max) == nil && machine.wakeAt == nil && !machine.isBusy)
    }
}

@Suite struct WhatTheCloudIsAskedAboutFilesThatItHad {
    /// A machine that has nothing to send.
    private func idle(at now: Int64 = 0) -> Machine {
        var machine = machine()
        _ = machine.next(at: now)
        machine.handle(.found(nil), at: now)
        return machine
    }

    private func missing(_ keys: [FileKey], isComplete: Bool = true) -> Result<MissingFiles, CloudError> {
        .success(MissingFiles(keys, isComplete: isComplete))
    }

    @Test func aCloudThatAnswersAgainIsAskedAndThenEachQuarterOfAnHour() throws {
        var machine = idle()
        #expect(machine.next(at: 0) == nil, "nothing was sent")
        machine.handle(.connected, at: 0)
        #expect(machine.wakeAt == 0 && machine.next(at: 0) == .check(after: nil, number: 1))
        #expect(machine.next(at: 0) == nil && machine.wakeAt == nil && !machine.isBusy)
        machine.handle(.missing(missing([]), to: 1), at: 5)
        let next = 5 + Machine.checkPause
        #expect(machine.next(at: next - 1) == nil && machine.wakeAt == next)
        #expect(machine.next(at: next) == .check(after: nil, number: 2))
    }

    @Test func aFileThatWasSentIsAskedAboutLater() throws {
        let file = try file()
        var machine = machine()
        _ = machine.next(at: 0)
        machine.handle(.found(file), at: 0)
        _ = machine.next(at: 0)
        answer(&machine, progress(10, true), at: 3)
        _ = (machine.next(at: 3), machine.next(at: 3))
        machine.handle(.found(nil), at: 3)
        #expect(machine.next(at: 3) == nil && machine.wakeAt == 3 + Machine.checkPause)
    }

    @Test func filesThatTheCloudLacksAreDoubtedAndLookedFor() throws {
        let (one, two) = (try file("a"), try file("b"))
        var machine = idle()
        machine.handle(.connected, at: 0)
        _ = machine.next(at: 0)
        machine.handle(.missing(missing([one.key], isComplete: false), to: 1), at: 0)
        #expect(machine.isBusy && machine.next(at: 0) == .doubt([one.key]))
        #expect(machine.next(at: 0) == .look)
        machine.handle(.found(one), at: 0)
        #expect(machine.next(at: 0) == .ask(one, number: 2))
        answer(&machine, progress(10, true))
        _ = (machine.next(at: 0), machine.next(at: 0))
        machine.handle(.found(nil), at: 0)
        #expect(machine.next(at: 0) == .check(after: one.key, number: 3), "the next page")
        machine.handle(.missing(missing([two.key]), to: 3), at: 0)
        #expect(machine.next(at: 0) == .doubt([two.key]))
        _ = machine.next(at: 0)
        machine.handle(.found(nil), at: 0)
        #expect(machine.next(at: 0) == nil && machine.wakeAt == Machine.checkPause)
    }

    /// Passes an answer to the question that is due, and returns the time of the next one.
    private func answered(_ machine: inout Machine, _ number: Int, isExpecting: Bool) throws -> Int64 {
        let now = try #require(machine.wakeAt)
        #expect(machine.next(at: now) == .check(after: nil, number: number))
        machine.handle(.missing(missing([]), to: number, isExpecting: isExpecting), at: now)
        return try #require(machine.wakeAt) - now
    }

    @Test func filesThatOtherDevicesAreToSendAreAskedForInGrowingPauses() throws {
        var machine = idle()
        machine.handle(.connected, at: 0)
        var pauses: [Int64] = []
        for number in 1...10 { pauses.append(try answered(&machine, number, isExpecting: true)) }
        let first = Machine.expectingPause
        #expect(Array(pauses.prefix(4)) == [first, 2 * first, 4 * first, 8 * first])
        #expect(pauses.last == Machine.checkPause, "not more rarely than about other files")
        #expect(try answered(&machine, 11, isExpecting: false) == Machine.checkPause)
        #expect(try answered(&machine, 12, isExpecting: true) == first, "others are awaited")
    }

    @Test func aLookAtAFileThatIsAwaitedAsksSoon() throws {
        var machine = idle()
        machine.handle(.connected, at: 0)
        for number in 1...10 { _ = try answered(&machine, number, isExpecting: true) }
        let asked = try #require(machine.wakeAt) - Machine.checkPause
        machine.handle(.looked, at: asked + 1)
        #expect(machine.wakeAt == asked + Machine.expectingPause, "also if it is looked at again and again")
        _ = try answered(&machine, 11, isExpecting: true)
        let next = try #require(machine.wakeAt)
        machine.handle(.looked, at: next - 1)
        #expect(machine.wakeAt == next, "a question that is due comes no later")
        _ = try answered(&machine, 12, isExpecting: false)
        let last = machine.wakeAt
        machine.handle(.looked, at: next + 1)
        #expect(machine.wakeAt == last, "nothing is awaited")
    }

    @Test func aRowThatArrivesIsAskedAboutAtOnce() throws {
        var machine = idle()
        machine.handle(.connected, at: 0)
        for number in 1...10 { _ = try answered(&machine, number, isExpecting: true) }
        machine.handle(.awaited, at: 7)
        #expect(machine.wakeAt == 0)
        #expect(try answered(&machine, 11, isExpecting: true) == Machine.expectingPause)
    }

    @Test func filesThatWaitComeFirst() throws {
        var machine = machine()
        machine.handle(.connected, at: 0)
        #expect(machine.next(at: 0) == .look)
    }

    @Test(arguments: [CloudError.notSupported, .subscriptionRequired(drainUntil: nil), .malformed])
    func aCloudThatDoesNotSayItIsAskedLaterAndTakesFilesMeanwhile(error: CloudError) throws {
        var machine = idle()
        machine.handle(.connected, at: 0)
        _ = machine.next(at: 0)
        machine.handle(.missing(.failure(error), to: 1), at: 0)
        #expect(machine.next(at: 0) == nil && machine.wakeAt == Machine.checkPause)
        machine.handle(.hurry, at: 0)
        #expect(machine.next(at: 0) == .look)
    }

    @Test(arguments: [CloudError.unreachable("x"), .timedOut("x"), .failed("x")])
    func aQuestionWithoutAnAnswerIsAskedAgain(error: CloudError) throws {
        var machine = idle()
        machine.handle(.connected, at: 0)
        for number in 1...20 {
            #expect(machine.next(at: Machine.longestPause) == .check(after: nil, number: number))
            machine.handle(.missing(.failure(error), to: number), at: 0)
            #expect(try #require(machine.wakeAt) <= Machine.longestPause)
        }
    }

    @Test func theEndOfTheSessionIsTheEndOfTheQuestions() throws {
        var machine = idle()
        machine.handle(.connected, at: 0)
        _ = machine.next(at: 0)
        machine.handle(.missing(.failure(.sessionRevoked), to: 1), at: 0)
        #expect(machine.next(at: 0) == .end(.revoked) && machine.next(at: .max) == nil)
    }
}
