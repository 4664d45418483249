// A folder of files that are named by their content: the files of one book.

import Glibc

/// A folder of files whose names are the SHA-256 of their content. Equal files are stored once.
public struct FileFolder: Hashable, Sendable {
    /// The path, without a slash at its end.
    public let path: String

    /// A folder by its path. Nothing is created until the first file is placed.
    public init(_ path: String) { self.path = path }

    /// The folder beside a book: `ID.files` beside `ID.sqlite`.
    public init(besides book: String) {
        path = (book.hasSuffix(".sqlite") ? String(book.dropLast(7)) : book) + ".files"
    }

    /// Whether a name belongs to a file in such a folder, or to its small picture.
    public static func isOfFile(_ name: some StringProtocol) -> Bool {
        ContentHash(name.hasSuffix(".thumbnail") ? String(name.dropLast(10)) : String(name)) != nil
    }

    /// The path of a file, whether or not it exists.
    public func path(of hash: ContentHash) -> String { "\(path)/\(hash)" }

    /// The path of the small picture of a file, whether or not it exists.
    func thumbnailPath(of hash: ContentHash) -> String { "\(path)/\(hash).thumbnail" }

    /// Gives a file the name of its content, in the place of one of that name with another content, which a disk has
    /// damaged. The name is durable when the call returns, and so is the content if it was synchronized before.
    /// - Returns: whether there was no such file, or a damaged one.
    @discardableResult
    public func place(_ file: IncomingFile) throws(FileStoreError) -> Bool {
        try makeFolder()
        let wasNeeded = try file.link(as: path(of: file.hash()))
        try synchronize()
        return wasNeeded
    }

    /// Stores the small picture of a file, and replaces an existing small picture.
    public func place(thumbnail file: IncomingFile, of hash: ContentHash) throws(FileStoreError) {
        try makeFolder()
        try file.link(as: thumbnailPath(of: hash))
    }

    /// Opens a file for reading; nil if it does not exist, or cannot be opened at present.
    public func open(_ hash: ContentHash) -> StoredFile? { try? file(hash) }

    /// Opens a file for reading; nil if it does not exist.
    /// - Throws: an error after which the file may be there nevertheless.
    public func file(_ hash: ContentHash) throws(FileStoreError) -> StoredFile? {
        try StoredFile.open(path(of: hash))
    }

    /// As `file`, for the small picture of a file. A small picture that a disk has damaged so that a browser could not
    /// show it, or that a power cut has left empty, is removed and counts as missing: a browser makes another one.
    public func thumbnail(of hash: ContentHash) throws(FileStoreError) -> StoredFile? {
        let path = thumbnailPath(of: hash)
        guard let file = try StoredFile.open(path) else { return nil }
        guard !FileInspection.isWholeJPEG(file) else { return file }
        // Another one may have its name by now.
        if try StoredFile.open(path)?.identity == file.identity { unlink(path) }
        return nil
    }

    /// Whether a file has a small picture that a browser can show, so that a page names none that it could not.
    public func hasThumbnail(of hash: ContentHash) -> Bool {
        guard let file = try? thumbnail(of: hash) else { return false }
        return file.size > 0
    }

    /// The size of a file in bytes; nil if it does not exist.
    public func size(of hash: ContentHash) -> Int? {
        var status = stat()
        return lstat(path(of: hash), &status) == 0 ? Int(status.st_size) : nil
    }

    /// The hashes of all files, in no order. It is empty if the folder does not exist, or cannot be read.
    public func contents() -> [ContentHash] { names().compactMap { ContentHash($0) } }

    /// The hashes of all files, in no order. It is empty if the folder does not exist.
    /// - Throws: an error after which there may be files nevertheless.
    public func list() throws(FileStoreError) -> [ContentHash] {
        try Self.list(path).compactMap { ContentHash($0) }
    }

    /// Removes a file and its small picture, also a displaced file. Does nothing if there is none.
    public func remove(_ hash: ContentHash) {
        unlink(path(of: hash))
        unlink(thumbnailPath(of: hash))
        unlink(displacedPath(of: hash))
    }

    /// Removes the folder with all of its files. Does nothing if there is none.
    /// - Throws: the error of the first file that stays, or the error of a folder that cannot be listed.
    public func removeAll() throws(FileStoreError) {
        for name in try Self.list(path) {
            guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
                throw FileStoreError(errnoAt: "\(path)/\(name)")
            }
        }
        guard rmdir(path) == 0 || errno == ENOENT else { throw FileStoreError(errnoAt: path) }
    }

    /// Removes unfinished files from a folder that a process left which died, on a file system without nameless files.
    public static func removeUnfinished(in folder: String) {
        for name in names(in: folder) where name.hasPrefix(IncomingFile.unfinished) {
            unlink("\(folder)/\(name)")
        }
    }

    func names() -> [String] { Self.names(in: path) }

    /// The names of all files and folders in a folder, in no order; empty if it does not exist, or cannot be read.
    public static func names(in folder: String) -> [String] { (try? list(folder)) ?? [] }

    /// The names of all files and folders in a folder, in no order; empty if it does not exist.
    /// - Throws: an error after which there may be some nevertheless.
    public static func list(_ folder: String) throws(FileStoreError) -> [String] {
        guard let stream = opendir(folder) else {
            guard errno != ENOENT else { return [] }
            throw FileStoreError(errnoAt: folder)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw FileStoreError(errnoAt: folder) }
                return names
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Creates the folder of several such folders, if it does not exist.
    public static func makeRoot(_ path: String) throws(FileStoreError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileStoreError(errnoAt: path) }
    }

    func makeFolder() throws(FileStoreError) {
        guard mkdir(path, 0o700) != 0 else {
            return try Self.synchronize(path.split(separator: "/").isEmpty ? "/" : parent)
        }
        guard errno == EEXIST else { throw FileStoreError(errnoAt: path) }
    }

    private var parent: String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "." }
        return String(path[..<slash])
    }

    func synchronize() throws(FileStoreError) { try Self.synchronize(path) }

    private static func synchronize(_ folder: String) throws(FileStoreError) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileStoreError(errnoAt: folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileStoreError(errnoAt: folder) }
    }
}
