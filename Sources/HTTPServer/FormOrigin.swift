// The origin of a form, as far as the browser reports it.

extension Request {
    /// Whether the browser reports that a page of this server sent the form; old browsers report nothing.
    public var isSameOrigin: Bool {
        if let site = header("Sec-Fetch-Site"), site != "same-origin", site != "none" { return false }
        guard let origin = header("Origin") else { return true }
        let sides = origin.split(separator: "/", omittingEmptySubsequences: true)
        return sides.count == 2 && sides[1] == host
    }
}
