// Reviewers: a world each, in bounded number, put away when they stay away.

import Devices
import Foundation
import Templates
import TestKit
import Testing
import Texts

@testable import Lab

@Suite struct ReviewerTests {
    private func folders(_ parts: LabParts) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: parts.folder)) ?? []).count {
            $0.hasPrefix("world-")
        }
    }

    @Test func aReviewerWhoOnlyLooksHasNoFiles() throws {
        let parts = try labParts()
        let reviewers = Reviewers(parts)
        for _ in 0..<10 { _ = reviewers.welcome() }
        #expect(reviewers.worldCount == 0 && folders(parts) == 0)
    }

    @Test func manyRequestsAtOnceMakeOneWorld() async throws {
        let parts = try labParts()
        let reviewers = Reviewers(parts)
        let reviewer = reviewers.welcome()
        let worlds = await withTaskGroup(of: ObjectIdentifier?.self) { group in
            for _ in 0..<20 {
                group.addTask { (try? await reviewers.world(of: reviewer)).map { ObjectIdentifier($0) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(worlds).count == 1 && !worlds.contains(nil) && folders(parts) == 1)
        await reviewers.close()
        #expect(folders(parts) == 0)
    }

    @Test func anotherWorldTakesThePlaceOfTheFirst() async throws {
        let parts = try labParts()
        let reviewers = Reviewers(parts)
        let reviewer = reviewers.welcome()
        let first = try await reviewers.world(of: reviewer)
        let second = try await reviewers.renew(reviewer, .newGuest)
        #expect(first !== second && reviewer.now.world === second && folders(parts) == 1 + 0)
        await #expect(throws: LabError.self) { _ = try await first.device(1)?.start() }
        await reviewers.close()
    }

    @Test func aWorldIsPutAwayAfterTwoHours() async throws {
        let hands = Hands()
        let parts = try labParts(hands)
        let reviewers = Reviewers(parts)
        let (away, present) = (reviewers.welcome(), reviewers.welcome())
        _ = try await reviewers.world(of: away)
        _ = try await reviewers.world(of: present)
        hands.advance(7_199)
        await reviewers.tidy()
        #expect(reviewers.worldCount == 2)
        _ = reviewers.find(present.token)
        hands.advance(1)
        await reviewers.tidy()
        #expect(reviewers.find(away.token) == nil && reviewers.find(present.token) != nil)
        #expect(folders(parts) == 1)
        // A request that was under way makes no new world for it.
        await #expect(throws: LabError.self) { _ = try await reviewers.world(of: away) }
        await reviewers.close()
    }

    @Test func aFullLabTakesTheWorldOfSomebodyWhoIsAway() async throws {
        let hands = Hands()
        let parts = try labParts(hands) { ($0.worlds, $0.percentOfNetwork) = (2, 100) }
        let reviewers = Reviewers(parts)
        let all = (0..<3).map { _ in reviewers.welcome() }
        _ = try await reviewers.world(of: all[0])
        _ = try await reviewers.world(of: all[1])
        await #expect(throws: LabError.self) { _ = try await reviewers.world(of: all[2]) }
        hands.advance(600)
        _ = reviewers.find(all[1].token)
        _ = try await reviewers.world(of: all[2])
        #expect(reviewers.worldCount == 2 && reviewers.find(all[0].token) == nil)
        await reviewers.close()
    }

    @Test func oneNetworkCannotTakeTheRoomOfAll() async throws {
        let parts = try labParts { ($0.worlds, $0.percentOfNetwork) = (4, 50) }
        let reviewers = Reviewers(parts)
        let neighbours = (0..<3).map { _ in reviewers.welcome(from: "192.0.2.1") }
        for reviewer in neighbours.prefix(2) { _ = try await reviewers.world(of: reviewer) }
        await #expect(throws: LabError.self) { _ = try await reviewers.world(of: neighbours[2]) }
        _ = try await reviewers.world(of: reviewers.welcome(from: "192.0.2.2"))
        #expect(reviewers.worldCount == 3)
        await reviewers.close()
    }

    @Test func oneNetworkCannotTakeTheBytesOfAll() async throws {
        let guest = try await Blueprints(try labParts()).blueprint(of: .guest).bytes
        // Half of it is room for two.
        let reviewers = Reviewers(try labParts { ($0.bytes, $0.percentOfNetwork) = (guest * 5, 50) })
        let neighbours = (0..<3).map { _ in reviewers.welcome(from: "192.0.2.1") }
        for reviewer in neighbours.prefix(2) { _ = try await reviewers.renew(reviewer, .guest) }
        await #expect(throws: LabError.self) { _ = try await reviewers.renew(neighbours[2], .guest) }
        _ = try await reviewers.renew(reviewers.welcome(from: "192.0.2.2"), .guest)
        // A world in place of one's own takes no more room.
        _ = try await reviewers.renew(neighbours[0], .guest)
        #expect(reviewers.worldCount == 3)
        await reviewers.close()
    }

    @Test func beyondTheLimitTheMarksOfWhoWalkedLongestAgoGo() async throws {
        let hands = Hands()
        let reviewers = Reviewers(try labParts(hands) { $0.reviewers = 2 })
        var tokens: [DeviceToken] = []
        for time: Int64 in [7, 9, 8] {
            let away = reviewers.welcome()
            away.present.withLock {
                $0.marks["first-visit", default: JourneyMark()].count(4, isEnd: true, at: time)
            }
            tokens.append(away.token)
            hands.advance(7_200)
            await reviewers.tidy()
        }
        #expect(tokens.map { reviewers.welcome(after: $0).now.marks.isEmpty } == [true, false, false])
        await reviewers.close()
    }

    @Test func theMarksOfAReviewerWhoWasAwayAreThereOnce() async throws {
        let hands = Hands()
        let reviewers = Reviewers(try labParts(hands))
        let away = reviewers.welcome()
        away.present.withLock { $0.marks["first-visit", default: JourneyMark()].count(4, isEnd: true, at: 7) }
        hands.advance(7_200)
        await reviewers.tidy()
        #expect(reviewers.find(away.token) == nil)
        #expect(reviewers.welcome(after: away.token).now.marks["first-visit"]?.walks == 1)
        #expect(reviewers.welcome(after: away.token).now.marks.isEmpty)
        #expect(reviewers.welcome().now.marks.isEmpty)
        await reviewers.close()
    }

    @Test func aPageFollowsASignThatCameTrueBeforeIt() async throws {
        let parts = try labParts()
        let reviewers = Reviewers(parts)
        let reviewer = reviewers.welcome()
        let world = try await reviewers.renew(reviewer, .guest)
        try await world.start()
        let title = Text("coverage.coverage")
        let journey = Journey(
            "test",
            [],
            title,
            title,
            in: .guest,
            steps: [],
            expecting: [.isIn(1, "local_only"), .readsNext(1, title)],
            at: [1, 1]
        )
        reviewer.present.withLock { $0.walk = Walk(journey, parts.texts) }
        let page = ByteBuffer(capacity: 64)
        page.appendEscaped(parts.texts.string(title))
        reviewer.note(page, of: 1)
        #expect(reviewer.now.walk?.isReached == true)
        await reviewers.close()
    }

    @Test func aMarkCountsWalksAndStays() {
        var mark = JourneyMark()
        mark.count(2, isEnd: false, at: 10)
        #expect(mark.most == 2 && mark.at == 10 && !mark.isWalked)
        mark.count(4, isEnd: true, at: 20)
        // A second look that is given up takes nothing away.
        mark.count(1, isEnd: false, at: 30)
        #expect(mark.most == 4 && mark.walks == 1 && mark.at == 20)
        mark.count(4, isEnd: true, at: 40)
        #expect(mark.walks == 2 && mark.at == 40)
    }

    @Test func theJourneyAfterOneIsTheNextOpenOneOfTheTourAndThenOfTheList() throws {
        var present = Reviewer.Present(seenAt: 0)
        func walk(_ journey: Journey) {
            present.marks[journey.id, default: JourneyMark()].count(1, isEnd: true, at: 1)
        }
        let tour = allJourneys.tour
        walk(tour[0])
        #expect(present.journey(after: tour[0], of: allJourneys)?.id == tour[1].id)
        walk(tour[1])
        walk(tour[2])
        #expect(present.journey(after: tour[0], of: allJourneys)?.id == tour[3].id)
        #expect(!JourneyCard(tour[2], of: allJourneys, present).endsTour)
        tour.forEach(walk)
        #expect(JourneyCard(tour[2], of: allJourneys, present).endsTour)
        #expect(!JourneyCard(try #require(allJourneys.byID["expires"]), of: allJourneys, present).endsTour)
        let next = try #require(present.journey(after: tour[4], of: allJourneys))
        #expect(!tour.contains { $0.id == next.id })
        allJourneys.all.forEach(walk)
        #expect(present.journey(after: tour[0], of: allJourneys) == nil)
    }

    @Test func twoNetworksLeaveRoomForAThird() async throws {
        let hands = Hands()
        let parts = try labParts(hands) { ($0.worlds, $0.percentOfNetwork) = (4, 75) }
        let reviewers = Reviewers(parts)
        var crowd: [Reviewer] = []
        for network in ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"] {
            hands.advance(1)
            crowd.append(reviewers.welcome(from: network))
            _ = try await reviewers.world(of: crowd[crowd.count - 1])
        }
        // All of them are in use: the network with three gives up the one that was not seen for longest.
        for reviewer in [crowd[1], crowd[0], crowd[2], crowd[3]] {
            hands.advance(1)
            _ = reviewers.find(reviewer.token)
        }
        let third = reviewers.welcome(from: "192.0.2.3")
        #expect(reviewers.hasRoom(for: third))
        _ = try await reviewers.world(of: third)
        #expect(crowd.map { reviewers.find($0.token) != nil } == [true, false, true, true])
        // It takes no more than a share, and nothing from those who have one.
        for _ in 0..<2 { _ = try? await reviewers.world(of: reviewers.welcome(from: "192.0.2.3")) }
        #expect(reviewers.find(crowd[3].token) != nil && reviewers.worldCount == 4)
        await #expect(throws: LabError.self) {
            _ = try await reviewers.world(of: reviewers.welcome(from: "192.0.2.3"))
        }
        await reviewers.close()
    }

    @Test func noTwoWorldsShareACookieOrATokenOfForms() async throws {
        let parts = try labParts { _ in }
        let reviewers = Reviewers(parts)
        var (cookies, forms): ([DeviceToken], [String]) = ([], [])
        for _ in 0..<2 {
            let world = try await reviewers.renew(reviewers.welcome(), .guest)
            let device = try #require(world.device(1))
            let running = try await device.start()
            let token = try #require(device.token)
            #expect(try running.manager.find(token) != nil, "the device has its own cookie")
            cookies.append(token)
            forms.append(running.manager.seal.token(for: cookies[0].hash))
            await device.stop()
            let again = try await device.start()
            #expect(device.token == token, "also after a restart")
            #expect(try again.manager.find(token) != nil)
            #expect(again.manager.seal.token(for: cookies[0].hash) == forms.last, "an open page stays valid")
        }
        #expect(cookies[0] != cookies[1] && forms[0] != forms[1])
        await reviewers.close()
    }

    @Test func theRoomOfALoopThatMakesWorldsIsFreeAfterAMinute() async throws {
        let hands = Hands()
        let parts = try labParts(hands) { ($0.worlds, $0.percentOfNetwork) = (4, 75) }
        let reviewers = Reviewers(parts)
        let person = reviewers.welcome(from: "192.0.2.1")
        _ = try await reviewers.world(of: person)
        for _ in 0..<2 { _ = try await reviewers.world(of: reviewers.welcome(from: "192.0.2.1")) }
        hands.advance(10)
        // A person looks at their world again, and then reads.
        _ = reviewers.find(person.token)
        hands.advance(50)
        for _ in 0..<2 { _ = try await reviewers.world(of: reviewers.welcome(from: "192.0.2.1")) }
        #expect(reviewers.find(person.token) != nil && reviewers.worldCount == 3)
        // Their world is not taken, and neither are those of the last minute.
        await #expect(throws: LabError.self) {
            _ = try await reviewers.world(of: reviewers.welcome(from: "192.0.2.1"))
        }
        await reviewers.close()
    }

    @Test func worldsThatAreTooLargeTogetherFillTheLab() async throws {
        let hands = Hands()
        let parts = try labParts(hands) { ($0.bytes, $0.percentOfNetwork) = (3_000_000, 100) }
        let reviewers = Reviewers(parts)
        let all = (0..<40).map { _ in reviewers.welcome() }
        var made = 0
        for reviewer in all {
            guard (try? await reviewers.renew(reviewer, .guest)) != nil else { break }
            made += 1
        }
        #expect(made > 0 && made < 40)
        // Their own world makes room for the next one.
        try await reviewers.renew(all[0], .guest)
        await reviewers.close()
    }

    @Test func reviewersWithoutWorldsAreForgottenBeyondTheLimit() throws {
        let parts = try labParts { $0.reviewers = 3 }
        let reviewers = Reviewers(parts)
        let tokens = (0..<5).map { _ in reviewers.welcome().token }
        #expect(tokens.count { reviewers.find($0) != nil } == 3)
    }
}
