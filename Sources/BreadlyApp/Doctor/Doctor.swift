// Examines a data folder: the expected files, their integrity and their permissions.

import DeviceStore
public import Devices
import Foundation

/// The findings about a data folder. The examination creates and changes no file.
public struct Doctor: Sendable, Encodable {
    /// One finding.
    public struct Finding: Hashable, Sendable, Encodable {
        /// The severity of a finding.
        public enum Weight: String, Sendable, Encodable, CaseIterable {
            /// Information; no action is necessary.
            case note
            /// No data is lost, and the operator should act.
            case warning
            /// A file is damaged, missing or unusable.
            case fault
        }

        /// The severity of the finding.
        public let weight: Weight
        /// The path within the data folder.
        public let path: String
        /// The finding, in words.
        public let what: String
        /// The remedy; nil if no action is necessary.
        public let todo: String?
    }

    /// The path of the data folder.
    public let folder: String
    /// Whether a server works on it.
    public let isInUse: Bool
    /// The number of books.
    public internal(set) var books = 0
    /// The number of files of receipts that were read.
    public internal(set) var files = 0
    /// The number of their bytes.
    public internal(set) var bytesOfFiles: Int64 = 0
    /// The most severe first.
    public internal(set) var findings: [Finding] = []

    /// Whether no action is necessary.
    public var isSound: Bool { !findings.contains { $0.weight != .note } }
    /// Whether a file is damaged, missing or unusable.
    public var hasFaults: Bool { findings.contains { $0.weight == .fault } }

    let now: Int64

    private enum CodingKeys: String, CodingKey { case folder, isInUse, books, files, bytesOfFiles, findings }

    /// Examines a data folder, also while a server works on it.
    /// - Throws: `AppError.folder` if the folder does not exist or cannot be read.
    public init(_ data: String, dependencies: Dependencies) throws(AppError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: data) else {
            throw .folder("\(data): there is no such folder, or it cannot be read: name it with --data.")
        }
        folder = data
        isInUse = DataFolder.isInUse(data)
        now = dependencies.now
        examineNames(names)
        examineRights()
        examineRoom()
        if ownPaths.isEmpty {
            add(
                .warning,
                ".",
                "it has no data of Breadly",
                "name the data folder with --data, or start the server once"
            )
        }
        let isKnown = examineDeviceStore()
        examineCloud()
        examineBooks(isKnown: isKnown)
        let order = Finding.Weight.allCases
        findings = findings.enumerated().sorted { left, right in
            let weights = [left, right].map { order.firstIndex(of: $0.element.weight) ?? 0 }
            return weights[0] == weights[1] ? left.offset < right.offset : weights[0] > weights[1]
        }.map(\.element)
    }

    mutating func add(_ weight: Finding.Weight, _ path: String, _ what: String, _ todo: String? = nil) {
        findings.append(Finding(weight: weight, path: path, what: what, todo: todo))
    }

    static let bringBack = "bring back a copy with breadly restore"
}
