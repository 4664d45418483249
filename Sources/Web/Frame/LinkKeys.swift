// Links as keys of a page. Templates print them below the base path.

import Links
import Templates

extension Keys {
    /// The address of a link, after the base path.
    func link(_ name: String, _ get: @escaping @Sendable (Model) -> Link) -> Keys {
        address(name) { get($0).text }
    }

    /// The address of an optional link.
    func optionalLink(_ name: String, _ get: @escaping @Sendable (Model) -> Link?) -> Keys {
        optionalAddress(name) { get($0)?.text }
    }

    /// A link with a value; the rest of the link is text of the template.
    /// - Parameter get: an id or a number, which needs no percent-encoding.
    func link<Value>(
        _ name: String,
        to links: LinkTo<Value>,
        _ get: @escaping @Sendable (Model) -> Value
    ) -> Keys {
        link(name, to: links, printed: { "\(get($0))" })
    }

    /// The same for a value in text form.
    /// - Parameter get: a text of characters that need no percent-encoding.
    func link<Value>(
        _ name: String,
        to links: LinkTo<Value>,
        printed get: @escaping @Sendable (Model) -> String
    ) -> Keys {
        address(name, head: links.head, tail: links.tail, get)
    }
}
