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

    /// Knows nothing.
    public init() {}

    /// Whether the cloud has a file, by its last answer; nil before the first.
    public func isInCloud(_ sha256: String) -> Bool? { known[sha256] }

    /// Begins a question, for the first page of its answer.
    /// - Parameter hashes: of the files that are not on this device. Those whose rows arrive later are not asked for.
    public mutating func begin(_ hashes: [String]) {
        asked = Set(hashes)
        (missing, absent) = ([], [])
    }

    /// Notes a page of the answer. What was known changes with the last page only.
    public mutating func note(_ files: MissingFiles) {
        for key in files.keys where asked.contains(key.description) { missing.insert(key.description) }
        guard files.isComplete else { return }
        known = Dictionary(asked.map { ($0, !missing.contains($0)) }) { first, _ in first }
        for hash in absent { known[hash] = false }
    }

    /// Notes that the cloud did not have a file when it was to be fetched.
    public mutating func noteAbsence(of sha256: String) {
        known[sha256] = false
        absent.insert(sha256)
    }

    /// Whether something else is known than before.
    public func isKnownOtherwise(than other: FilesElsewhere) -> Bool { known != other.known }

    /// The files that the cloud lacks, by its last answer, in no order. Some of them may be on this device by now.
    public var missingFromCloud: [String] { known.filter { !$0.value }.map(\.key) }

    /// Whether the cloud lacks files of this book, which other devices are to send.
    public var isExpecting: Bool { known.values.contains(false) }
}
