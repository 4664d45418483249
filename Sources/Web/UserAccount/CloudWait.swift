// The time that a page gives the cloud.

enum CloudWait {
    /// The time in milliseconds for which a page waits for an answer of the cloud before it shows that there is none yet. The
    /// cloud mostly answers at once, and a page without its answer would only flash.
    ///
    /// The answer to a sign-in does not wait, but the page after it: until it is sent, the browser has a cookie that opens
    /// nothing.
    static let milliseconds: Int64 = 1_500
}
