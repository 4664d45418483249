// The files for browsers, assembled from `public` when the server starts.

import Foundation

extension Resources {
    /// The files for browsers, by the name under which they are served.
    ///
    /// The sources of the style sheet and the script are files by subject, in `public/css` and `public/js`.
    /// Each is served as one file, `app.css` and `app.js`: joined in the order of the names, which begin with
    /// numbers. Other scripts are files of their own. Comments are left out of all of them.
    package func publicFiles() throws(AppError) -> [String: [UInt8]] {
        try cached("public", readPublicFiles)
    }

    private func readPublicFiles() throws(AppError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try names(in: "public") {
            var isFolder: ObjCBool = false
            let path = "\(folder)/public/\(name)"
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                files["app.\(name)"] = try joined("public/\(name)")
            } else {
                let content = try bytes("public/\(name)")
                files[name] =
                    name.hasSuffix(".js")
                    ? Array(Self.withoutCommentLines(String(decoding: content, as: UTF8.self)).utf8) : content
            }
        }
        return files
    }

    private func joined(_ path: String) throws(AppError) -> [UInt8] {
        var text = ""
        for name in try names(in: path) {
            text += Self.withoutCommentLines(String(decoding: try bytes("\(path)/\(name)"), as: UTF8.self))
        }
        return Array(text.utf8)
    }

    /// A style sheet or a script without the comments that begin a line: compressed, they are a quarter of it.
    ///
    /// Lines that begin with code stay as they are, so nothing here has to understand either language.
    static func withoutCommentLines(_ text: String) -> String {
        var isInComment = false
        var kept = ""
        for line in text.split(separator: "\n") {
            let content = line.trimmingCharacters(in: .whitespaces)
            if !isInComment, content.isEmpty || content.hasPrefix("//") { continue }
            guard isInComment || content.hasPrefix("/*") else {
                kept += line + "\n"
                continue
            }
            let end = content.firstRange(of: "*/")?.upperBound
            isInComment = end == nil
            if let end, end < content.endIndex { kept += content[end...] + "\n" }
        }
        return kept
    }

    private func names(in path: String) throws(AppError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)").sorted()
        } catch {
            throw .badFile("\(folder)/\(path) cannot be read")
        }
    }
}
