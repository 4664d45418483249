// The files of other devices: which of them the cloud has, as far as a device knows.
import CloudProtocol
import Testing

@testable import SyncEngine

@Suite struct FilesOfOtherDevices {
    private let names = ["a", "b", "c"].map { String(repeating: $0, count: 64) }

    private func page(_ missing: [String], isComplete: Bool = true) -> MissingFiles {
        MissingFiles(missing.compactMap { FileKey($0) }, isComplete: isComplete)
    }

    @Test func areInTheCloudOnceAWholeAnswerDoesNotNameThem() {
        var files = FilesElsewhere()
        #expect(files.isInCloud(names[0]) == nil && !files.isExpecting)
        files.begin([names[0], names[1]])
        files.note(page([names[1]], isComplete: false), at: 0)
        #expect(files.isInCloud(names[0]) == nil, "the next page may name it")
        files.note(page([names[2]]), at: 0)
        #expect(files.isInCloud(names[0]) == true && files.isInCloud(names[1]) == false)
        #expect(files.isInCloud(names[2]) == nil, "its row came later, or its file is here")
        #expect(files.isExpecting && files.missingFromCloud == [names[1]])
    }

    @Test func arriveInTheCloud() {
        var files = FilesElsewhere()
        files.begin([names[0]])
        files.note(page([names[0]]), at: 0)
        let before = files.version
        files.begin([names[0]])
        #expect(files.version == before && files.isInCloud(names[0]) == false)
        files.note(page([]), at: 0)
        #expect(files.version > before && files.isInCloud(names[0]) == true)
        #expect(!files.isExpecting && files.missingFromCloud.isEmpty)
    }

    /// The question may have begun before this device has lost them.
    @Test func thatAreFoundToBeAbsentDuringAQuestionStayAbsentUntilTheNextOne() {
        var files = FilesElsewhere()
        files.begin([names[0]])
        files.noteAbsence(of: names[1], at: 0)
        files.note(page([]), at: 0)
        #expect(files.isInCloud(names[0]) == true && files.missingFromCloud == [names[1]])
        files.begin([names[1]])
        files.note(page([]), at: 0)
        #expect(files.isInCloud(names[1]) == true && files.missingFromCloud.isEmpty)
    }

    @Test func thatWereNotThereWhenTheyWereOpenedAreAwaited() {
        var files = FilesElsewhere()
        files.noteAbsence(of: names[0], at: 0)
        #expect(files.isInCloud(names[0]) == false && files.isExpecting)
        // It was fetched, or its receipt was deleted.
        files.begin([])
        files.note(page([names[0]]), at: 0)
        #expect(files.isInCloud(names[0]) == nil && !files.isExpecting)
    }

    @Test func thatTheCloudHasLostAreNotExpected() {
        var files = FilesElsewhere()
        files.begin([names[0], names[1]])
        files.note(page([names[1]]), at: 100)
        files.begin([names[0], names[1]])
        files.note(page([names[0], names[1]]), at: 110)
        #expect(!files.isExpected(names[0], at: 110) && files.isExpected(names[1], at: 110))
        #expect(
            files.isExpecting,
            "the cloud is asked again: the device that has it sends it once it is open"
        )
        files.begin([names[0]])
        files.note(page([]), at: 120)
        #expect(files.isInCloud(names[0]) == true)
    }

    /// The device that has added them sends their rows first.
    @Test func areExpectedForAMinute() {
        var files = FilesElsewhere()
        files.begin([names[0]])
        files.note(page([names[0]]), at: 100)
        #expect(files.isExpected(names[0], at: 159) && !files.isExpected(names[0], at: 160))
        #expect(!files.isExpected(names[1], at: 100))
        // A further answer does not begin the minute anew, and is no news.
        let version = files.version
        files.begin([names[0]])
        files.note(page([names[0]]), at: 150)
        #expect(files.version == version && !files.isExpected(names[0], at: 160))
        files.begin([names[0]])
        files.noteAbsence(of: names[1], at: 170)
        files.note(page([]), at: 180)
        #expect(!files.isExpected(names[0], at: 180) && files.isExpected(names[1], at: 229))
        // The first answer after the minute is news, once: pages that stay open say then that it is late.
        let late = files.version
        files.begin([names[1]])
        files.note(page([names[1]]), at: 200)
        let reported = files.version
        #expect(reported > late)
        for time: Int64 in [229, 230, 300] {
            files.begin([names[1]])
            files.note(page([names[1]]), at: time)
            #expect(files.version == (time < 230 ? reported : reported + 1))
        }
        // Those of another book have other versions.
        files.forget()
        #expect(files.version > version + 1 && files.isInCloud(names[0]) == nil)
    }
}
