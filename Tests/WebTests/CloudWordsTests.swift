// The words of the icon while a queue is emptied after the end of a subscription.
import Devices
import SyncEngine
import TestKit
import Testing
import Texts

@testable import Web

@Suite struct TheWordsOfADrain {
    @Test func sayThatTheCloudIsAwayOnlyWhileNothingMoves() throws {
        let texts = try TextCatalogue(language: "en", files: shippedTexts())
        let away = Device.draining(SyncStatus(phase: .offline, pending: 2), isStalled: true)
        #expect(
            texts.string(away.text)
                == "The cloud cannot be reached. 2 changes are saved here and will be uploaded later."
        )
        let moving = Device.draining(SyncStatus(phase: .uploading, pending: 2), isStalled: true)
        #expect(
            texts.string(moving.text)
                == "2 changes are on the way to the cloud. After that, what you enter stays on this device only."
        )
        #expect(away.look == .alert && moving.look == .sync)
    }

    /// The call of a drain may hang before its first upload as well.
    @Test(arguments: [SyncStatus.Phase.connecting, .uploading])
    func sayThatAnAnswerIsAwaited(phase: SyncStatus.Phase) throws {
        let texts = try TextCatalogue(language: "en", files: shippedTexts())
        var status = SyncStatus(phase: phase, pending: 1)
        let waiting = "Waiting for an answer of the cloud."
        #expect(!texts.string(Device.draining(status, isStalled: false).text).contains(waiting))
        status.isSilent = true
        #expect(texts.string(Device.draining(status, isStalled: false).text).hasSuffix(waiting))
    }

    @Test func sayAtOnceThatTheCloudIsAway() throws {
        let texts = try TextCatalogue(language: "en", files: shippedTexts())
        let away = Device.draining(SyncStatus(phase: .offline, pending: 1), isStalled: false)
        #expect(
            texts.string(away.text)
                == "The cloud cannot be reached. 1 change is saved here and will be uploaded later."
        )
        #expect(away.look == .alert && away.canRetry)
    }
}
