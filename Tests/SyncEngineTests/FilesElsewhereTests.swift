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
        files.note(page([names[1]], isComplete: false))
        #expect(files.isInCloud(names[0]) == nil, "the next page may name it")
        files.note(page([names[2]]))
        #expect(files.isInCloud(names[0]) == true && files.isInCloud(names[1]) == false)
        #expect(files.isInCloud(names[2]) == nil, "its row came later, or its file is here")
        #expect(files.isExpecting && files.missingFromCloud == [names[1]])
    }

    @Test func arriveInTheCloud() {
        var files = FilesElsewhere()
        files.begin([names[0]])
        files.note(page([names[0]]))
        let before = files
        files.begin([names[0]])
        #expect(!files.isKnownOtherwise(than: before) && files.isInCloud(names[0]) == false)
        files.note(page([]))
        #expect(files.isKnownOtherwise(than: before) && files.isInCloud(names[0]) == true)
        #expect(!files.isExpecting && files.missingFromCloud.isEmpty)
    }

    /// The question may have begun before this device has lost them.
    @Test func thatAreFoundToBeAbsentDuringAQuestionStayAbsentUntilTheNextOne() {
        var files = FilesElsewhere()
        files.begin([names[0]])
        files.noteAbsence(of: names[1])
        files.note(page([]))
        #expect(files.isInCloud(names[0]) == true && files.missingFromCloud == [names[1]])
        files.begin([names[1]])
        files.note(page([]))
        #expect(files.isInCloud(names[1]) == true && files.missingFromCloud.isEmpty)
    }

    @Test func thatWereNotThereWhenTheyWereOpenedAreAwaited() {
        var files = FilesElsewhere()
        files.noteAbsence(of: names[0])
        #expect(files.isInCloud(names[0]) == false && files.isExpecting)
        // It was fetched, or its receipt was deleted.
        files.begin([])
        files.note(page([names[0]]))
        #expect(files.isInCloud(names[0]) == nil && !files.isExpecting)
    }
}
