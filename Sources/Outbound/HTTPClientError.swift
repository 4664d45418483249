// Why a request has no response.

/// The reason why a request has no response.
public enum HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The limit that a request exceeded.
    public enum TimeOut: Hashable, Sendable {
        /// No connection was made in time.
        case connecting
        /// No byte moved in either direction for `HTTPClient.Limits.stallSeconds`.
        case noProgress
        /// The request did not end within `HTTPClient.Limits.totalSeconds`.
        case total
    }

    /// libcurl is not installed: `apt install libcurl4`.
    case noLibrary
    /// The installed libcurl, of this version, is older than 7.68 (January 2020).
    case oldLibrary(String)
    /// The URL or a header field is malformed, or memory is short.
    case badRequest
    /// The task that waited for the response was cancelled.
    case cancelled
    /// The response is longer than `HTTPClient.Limits.responseBytes`.
    case tooLong
    /// The process may not open another socket: `ulimit -n`, or `LimitNOFILE` of systemd.
    case tooManyOpenFiles
    case timedOut(TimeOut)
    /// The connection was silent while a newer one to the same server was not: see `HTTPSending.suspect`.
    case suspected
    /// The connection ended after a part of the request or of the response had moved; described by libcurl.
    case cutOff(String)
    /// Any other failure, described by libcurl.
    case failed(String)

    /// A short phrase for the log.
    public var description: String {
        switch self {
        case .noLibrary: "libcurl is not installed (apt install libcurl4)"
        case .oldLibrary(let version): "libcurl is too old (\(version)): 7.68 or later is needed"
        case .badRequest: "the request cannot be made"
        case .cancelled: "the request was cancelled"
        case .tooLong: "the response is too long"
        case .tooManyOpenFiles: "this process has too many open files for another connection (ulimit -n)"
        case .timedOut(.connecting): "no connection within the time limit"
        case .timedOut(.noProgress): "no byte moved within the time limit"
        case .timedOut(.total): "the request took too long"
        case .suspected: "its connection is silent while a newer one is not"
        case .cutOff(let reason), .failed(let reason): reason
        }
    }
}
