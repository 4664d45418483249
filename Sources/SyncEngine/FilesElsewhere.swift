// The files of a book that are not on its device: which of them the cloud has, as far as it has said.

public import CloudProtocol

/// The answers of the cloud about the files that this device does not have.
///
/// | a file is | from | until |
/// | --- | --- | --- |
/// | unknown | the arrival of its row, the start of the process | the next answer, which each row of a receipt causes |
/// | not in the cloud | an answer that names it, an attempt to fetch it | the next answer; `UploadMachine.expectingPause` says when |
/// | in the cloud | an answer that does not name it | an answer that names it, because the cloud has lost it |
public struct FilesElsewhere: Sendable {
    /// Whether the cloud has each file.
    private var known: [String: Bool] = [:]
    /// The files of the question under way.
    private var asked: Set<String> = []
    private var missing: Set<String> = []
    /// The files that were found to be absent since its beginning, which it may not ask for.
    private var absent: Set<String> = []
    /// The times since which the cloud is known to lack files, in UTC seconds; the earliest for a file that it has lost.
    private var missingSince: [String: Int64] = [:]
    /// The number of them that were not expected any more at the last answer.
    private var overdue = 0
    /// The number of changes of what is known, and of what pages say of it. It never repeats.
    public private(set) var version = 0

    /// The time in which a device that has added a file usually sends it, in seconds.
    private static let expectedSeconds: Int64 = 60

    /// Knows nothing.
    public init() {}

    /// Forgets all answers, because the book is another one.
    public mutating func forget() {
        let next = version + 1
        self = FilesElsewhere()
        version = next
    }

    /// Whether the cloud has a file, by its last answer; nil before the first.
    public func isInCloud(_ sha256: String) -> Bool? { known[sha256] }

    /// Begins a question, for the first page of its answer.
    /// - Parameter hashes: of the files that are not on this device. A file whose row arrives later is not asked for.
    public mutating func begin(_ hashes: [String]) {
        asked = Set(hashes)
        (missing, absent) = ([], [])
    }

    /// Notes a page of the answer. What was known changes with the last page only.
    /// - Parameter now: UTC seconds.
    public mutating func note(_ files: MissingFiles, at now: Int64) {
        for key in files.keys where asked.contains(key.description) { missing.insert(key.description) }
        guard files.isComplete else { return }
        var answer = Dictionary(asked.map { ($0, !missing.contains($0)) }) { first, _ in first }
        for hash in absent { answer[hash] = false }
        adopt(answer, now)
    }

    /// Notes that the cloud did not have a file when it was to be fetched.
    /// - Parameter now: UTC seconds.
    public mutating func noteAbsence(of sha256: String, at now: Int64) {
        absent.insert(sha256)
        var answer = known
        answer[sha256] = false
        adopt(answer, now)
    }

    private mutating func adopt(_ answer: [String: Bool], _ now: Int64) {
        if answer != known {
            let (before, since) = (known, missingSince)
            known = answer
            version += 1
            missingSince = [:]
            for (hash, isInCloud) in known where !isInCloud {
                // No device is about to send a file that the cloud had.
                missingSince[hash] = since[hash] ?? (before[hash] == true ? .min : now)
            }
        }
        // A page that stays open learns by this that a file is late, although the answer is the same.
        let late = missingSince.keys.count { !isExpected($0, at: now) }
        guard late != overdue else { return }
        overdue = late
        version += 1
    }

    /// Whether a file that the cloud lacks is about to come from another device, because it has not been missing for long.
    /// - Parameter now: UTC seconds.
    public func isExpected(_ sha256: String, at now: Int64) -> Bool {
        missingSince[sha256].map { now.subtractingClamped($0) < Self.expectedSeconds } ?? false
    }

    /// The files that the cloud lacks, by its last answer, in no order. Some of them may be on this device by now.
    public var missingFromCloud: [String] { known.filter { !$0.value }.map(\.key) }

    /// Whether the cloud lacks files of this book, which other devices are to send.
    public var isExpecting: Bool { known.values.contains(false) }
}
