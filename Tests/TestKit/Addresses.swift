// Addresses in pages as a browser reads them.

/// The address that a browser opens for a link of a page: one without its first slash is in the folder of the page. Empty
/// addresses, fragments and addresses with a scheme are left as they are.
public func resolved(_ address: String, on page: String) -> String {
    let isOther = address.prefix { $0 != "?" && $0 != "/" }.contains(":")
    guard let first = address.first, first != "/", first != "#", !isOther else { return address }
    let segments = page.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    return segments.dropLast().joined(separator: "/") + "/" + address
}
