// The messages of one request that waits for many devices: `POST /cloud/v1/signals`.

public import Encoding
public import SyncCore

/// The question of a server for all of its devices at once.
///
/// The cloud keeps a *watch*: which sessions wait, and what each has seen. A request carries what has changed about
/// that, and waits for news of all that are in it.
public struct SignalsRequest: Hashable, Sendable {
    /// The most sessions that one request adds or changes.
    public static let most = 500
    /// The most sessions of one watch: a server with more devices lets the others ask by themselves.
    public static let mostOfWatch = 10_000

    /// A session that waits.
    public struct Entry: Hashable, Sendable {
        /// The name of the session within the watch, which the server chooses.
        public var key: Int64
        /// The proof of the session; nil for one that is in the watch already and has seen something.
        public var token: SessionToken?
        /// The head that the session has seen; nil before the first.
        public var seen: Head?

        /// A session.
        public init(key: Int64, token: SessionToken? = nil, seen: Head?) {
            self.key = key
            self.token = token
            self.seen = seen
        }
    }

    /// The watch, as the cloud has named it; nil for a new one.
    public var watch: String?
    /// How long the answer may wait for news, in seconds.
    public var waitSeconds: Int64
    /// The sessions that are new in the watch, and those that have seen something.
    public var set: [Entry]
    /// The sessions that wait no more.
    public var drop: [Int64]

    /// A request.
    public init(watch: String?, waitSeconds: Int64, set: [Entry] = [], drop: [Int64] = []) {
        self.watch = watch
        self.waitSeconds = waitSeconds
        self.set = set
        self.drop = drop
    }
}

/// The answer to a server that asks for all of its devices.
public struct SignalsAnswer: Hashable, Sendable {
    /// News of a session, told again with each answer until the request that says that it was seen.
    public struct SessionNews: Hashable, Sendable {
        /// The session.
        public var key: Int64
        /// Where its account's data stands, or why it is told no more.
        public var result: Result<Head, CloudError>

        /// News.
        public init(key: Int64, _ result: Result<Head, CloudError>) {
            self.key = key
            self.result = result
        }
    }

    /// The watch. Nil where the request named one that the cloud does not know, or not any more: nothing was changed, and
    /// the server tells a new one of all its sessions; and where it named none and no session is accepted.
    public var watch: String?
    /// News.
    public var news: [SessionNews]

    /// An answer.
    public init(watch: String?, news: [SessionNews] = []) {
        self.watch = watch
        self.news = news
    }
}

extension SignalsRequest: WireMessage {
    /// As it is sent.
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

    /// Reads the JSON of a message.
    /// - Throws: `MalformedJSON` for anything else.
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
    /// As it is sent.
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

    /// Reads the JSON of a message.
    /// - Throws: `MalformedJSON` for anything else.
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
    /// Why a session is told no more; nil for an unknown code.
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
