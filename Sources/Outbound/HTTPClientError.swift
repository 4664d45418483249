// Why a request has no response.

/// Why a request has no response.
public enum HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What took too long.
    public enum TimeOut: Hashable, Sendable {
        /// There was no connection in time.
        case connecting
        /// No byte moved in either direction for `HTTPClient.Limits.stallSeconds`.
        case noProgress
        /// The request was not over within `HTTPClient.Limits.totalSeconds`.
        case total
    }

    /// libcurl is not installed: `apt install libcurl4`.
    case noLibrary
    /// The installed libcurl is older than 7.68 (January 2020); its version.
    case oldLibrary(String)
    /// The URL or a header field is malformed, or there is no memory for them.
    case badRequest
    /// The task that waited for the response was cancelled.
    case cancelled
    /// The response is longer than `HTTPClient.Limits.responseBytes`.
    case tooLong
    /// The process may not open another socket: `ulimit -n`, or `LimitNOFILE` of systemd.
    case tooManyOpenFiles
    case timedOut(TimeOut)
    /// Its connection was silent while a newer one to the same server was not: `HTTPSending.suspect`.
    case suspected
    /// Anything else, in libcurl's words.
    case failed(String)

    /// A few words for the log.
    public var description: String {
        switch self {
        case .noLibrary: "libcurl is not installed (apt install libcurl4)"
        case .oldLibrary(let version): "libcurl is too old (\(version)): 7.68 or later is needed"
        case .badRequest: "the request cannot be made"
        case .cancelled: "the request was cancelled"
        case .tooLong: "the response is too long"
        case .tooManyOpenFiles: "this process has too many open files for another connection (ulimit -n)"
        case .timedOut(.connecting): "no connection in time"
        case .timedOut(.noProgress): "the connection stopped: no byte moved in time"
        case .timedOut(.total): "the request took too long"
        case .suspected: "its connection is silent, while another one is not"
        case .failed(let reason): reason
        }
    }
}
