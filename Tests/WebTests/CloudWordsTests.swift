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
}
