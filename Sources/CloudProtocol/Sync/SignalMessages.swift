// The messages of a long poll for many devices: `POST /cloud/v1/signals`.

public import Encoding
public import SyncCore

/// The request of a server for the news of all its devices.
///
/// The cloud stores a *watch*: the sessions that wait, and the head that each has seen. A request contains
/// the changes of the watch since the last request, and waits for news of all sessions in it.
public struct SignalsRequest: Hashable, Sendable {
    /// The maximum number of sessions that one request adds or changes.
    public static let most = 500
    /// The maximum number of sessions in one watch. A server with more devices polls separately for the
    /// others.
    public static let mostOfWatch = 10_000

    /// A session in the watch.
    public struct Entry: Hashable, Sendable {
        /// The key of the session within the watch, chosen by the server.
        public var key: Int64
        /// The token of the session; nil for a session that is in the watch already and has seen a new head.
        public var token: SessionToken?
        /// The head that the session has seen; nil before the first.
        public var seen: Head?

        /// A session that is in the watch already unless a token is given.
        public init(key: Int64, token: SessionToken? = nil, seen: Head?) {
            self.key = key
            self.token = token
            self.seen = seen
        }
    }

    /// The name of the watch, assigned by the cloud; nil for a new one.
    public var watch: String?
    /// The maximum time that the answer may wait for news, in seconds.
    public var waitSeconds: Int64
    /// The sessions to add to the watch, and the sessions that have seen a new head.
    public var set: [Entry]
    /// The keys of the sessions to remove from the watch.
    public var drop: [Int64]

    /// A request that changes nothing in the watch unless sessions are given.
    public init(watch: String?, waitSeconds: Int64, set: [Entry] = [], drop: [Int64] = []) {
        self.watch = watch
        self.waitSeconds = waitSeconds
        self.set = set
        self.drop = drop
    }
}

/// The answer to a server that polls for all its devices.
public struct SignalsAnswer: Hashable, Sendable {
    /// The news of a session. Each answer repeats it until a request acknowledges it.
    public struct SessionNews: Hashable, Sendable {
        /// The key of the session.
        public var key: Int64
        /// The head of the account's data, or the reason why the session left the watch.
        public var result: Result<Head, CloudError>

        /// The news of a session.
        public init(key: Int64, _ result: Result<Head, CloudError>) {
            self.key = key
            self.result = result
        }
    }

    /// The name of the watch. It is nil if the request named a watch that the cloud does not have: nothing
    /// was changed, and the server must create a new watch with all its sessions. It is also nil if the
    /// request named no watch and no session was accepted.
    public var watch: String?
    /// The news of the sessions in the watch.
    public var news: [SessionNews]

    /// An answer without news unless given.
    public init(watch: String?, news: [SessionNews] = []) {
        self.watch = watch
        self.news = news
    }
}

extension SignalsRequest: WireMessage {
    /// The JSON of the request.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let watch { writer.member("watch", watch) }
            writer.member("wait", waitSeconds)
            if !set.isEmpty {
                writer.name("set")
                writer.array { writer in
                    for entry in set {
                        writer.object { writer in
                            writer.member("key", entry.key)
                            if let token = entry.token { writer.member("token", token.text) }
                            if let seen = entry.seen { writer.member("seen", json: seen.json) }
                        }
                    }
                }
            }
            guard !drop.isEmpty else { return }
            writer.name("drop")
            writer.array { writer in
                for key in drop { writer.integer(key) }
            }
        }
        return writer.bytes
    }

    /// Decodes `encoded`.
    /// - Throws: `MalformedJSON` for any other text.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in
            var request = SignalsRequest(watch: nil, waitSeconds: 0)
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "watch": request.watch = try reader.string()
                case "wait": request.waitSeconds = max(0, try reader.integer())
                case "set":
                    try reader.array { reader throws(MalformedJSON) in request.set.append(try Entry(&reader))
                    }
                case "drop":
                    try reader.array { reader throws(MalformedJSON) in
                        request.drop.append(try reader.integer())
                    }
                default: _ = try reader.value()
                }
            }
            return request
        }
    }
}

extension SignalsRequest.Entry {
    fileprivate init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var key: Int64?
        var token: SessionToken?
        var seen: Head?
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "key": key = try reader.integer()
            case "token":
                token = SessionToken(try reader.string())
                guard token != nil else { throw reader.malformed }
            case "seen": seen = try Head(&reader)
            default: _ = try reader.value()
            }
        }
        guard let key else { throw reader.malformed }
        self.init(key: key, token: token, seen: seen)
    }
}

extension SignalsAnswer: WireMessage {
    /// The JSON of the answer.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let watch { writer.member("watch", watch) }
            writer.name("news")
            writer.array { writer in
                for news in news {
                    writer.object { writer in
                        writer.member("key", news.key)
                        switch news.result {
                        case .success(let head): writer.member("head", json: head.json)
                        case .failure(let error):
                            writer.member("error", error.code)
                            if let word = error.endedByOthers { writer.member("ended", word) }
                        }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Decodes `encoded`.
    /// - Throws: `MalformedJSON` for any other text.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in
            var watch: String?
            var news: [SessionNews]?
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "watch": watch = try reader.string()
                case "news":
                    var all: [SessionNews] = []
                    try reader.array { reader throws(MalformedJSON) in all.append(try SessionNews(&reader)) }
                    news = all
                default: _ = try reader.value()
                }
            }
            guard let news else { throw reader.malformed }
            return SignalsAnswer(watch: watch, news: news)
        }
    }
}

extension SignalsAnswer.SessionNews {
    fileprivate init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var key: Int64?
        var result: Result<Head, CloudError>?
        var ended: String?
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "key": key = try reader.integer()
            case "head": result = .success(try Head(&reader))
            case "error":
                let code = try reader.string()
                result = .failure(CloudError(ofSession: code) ?? .failed("the cloud says \(code)"))
            case "ended": ended = try reader.string()
            default: _ = try reader.value()
            }
        }
        if let ended, result == .failure(.sessionRevoked) {
            result = .failure(CloudError(endedByOthers: ended))
        }
        guard let key, let result else { throw reader.malformed }
        self.init(key: key, result)
    }
}

extension CloudError {
    /// The error that ends the watch of a session; nil for an unknown code.
    fileprivate init?(ofSession code: String) {
        for error in [CloudError.sessionRevoked, .accountGone, .subscriptionRequired(drainUntil: nil)]
        where error.code == code {
            self = error
            return
        }
        return nil
    }
}

extension Head {
    fileprivate var json: String { String(decoding: encoded, as: UTF8.self) }

    fileprivate init(_ reader: inout JSONReader) throws(MalformedJSON) {
        guard case .other(let json) = try reader.value() else { throw reader.malformed }
        self = try Head(Array(json.utf8))
    }
}
