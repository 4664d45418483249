// Damaged files that are out of the way until a sound one arrives.

import Glibc

extension FileFolder {
    /// The end of the name of a damaged file that was displaced.
    static let displacedSuffix = ".damaged"

    func displacedPath(of hash: ContentHash) -> String { path(of: hash) + Self.displacedSuffix }

    /// Takes the name of its content from a damaged file, so that it counts as missing. The bytes stay until a sound file
    /// arrives or the file is removed: most of a photo may still be seen, and it may be the last copy.
    /// - Parameter file: the damaged file. Another file that has its name by now stays.
    public func displace(_ hash: ContentHash, _ file: StoredFile) {
        guard let present = try? self.file(hash), present.identity == file.identity else { return }
        rename(path(of: hash), displacedPath(of: hash))
    }

    /// The hashes of the files that were displaced, in no order. It is empty if the folder does not exist, or cannot be read.
    public func displaced() -> [ContentHash] { names().compactMap { Self.hash(ofDisplaced: $0) } }

    /// The hash of a file that was displaced, by its present name; nil for any other file.
    public static func hash(ofDisplaced name: String) -> ContentHash? {
        name.hasSuffix(displacedSuffix) ? ContentHash(String(name.dropLast(displacedSuffix.count))) : nil
    }
}
