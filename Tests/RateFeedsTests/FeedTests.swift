// Requests for the bank's file: their fields, and what becomes of the responses.
import Ledger
import Outbound
import RateFeeds
import Synchronization
import TestKit
import Testing

/// A server without a network.
private final class Bank: HTTPSending {
    let requests = Mutex<[HTTPRequest]>([])
    private let answer: Result<HTTPResponse, HTTPClientError>

    init(_ answer: Result<HTTPResponse, HTTPClientError>) { self.answer = answer }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        requests.withLock { $0.append(request) }
        return try answer.get()
    }

    /// The last request's fields by name.
    var headers: [String: String] {
        let headers = requests.withLock { $0.last?.headers ?? [] }
        return Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
    }
}

@Suite struct RequestsOfTheBank {
    private func ask(_ bank: Bank, _ validators: RateFileValidators? = nil) async throws -> RateFeedAnswer {
        let currencies = try CurrencyTable(
            tsv: String(decoding: try Files.resource("currencies.tsv"), as: UTF8.self)
        )
        let feed = EuropeanCentralBankFeed(http: bank, currencies: currencies)
        let today = try #require(CivilDate(iso: "2026-11-02"))
        return try await feed.newRates(since: validators, today: today)
    }

    @Test func theFirstRequestAsksForTheWholeFile() async throws {
        let body = try Files.bytes("eurofxref-daily.xml")
        let bank = Bank(
            .success(HTTPResponse(status: 200, body: body, entityTag: "\"a\"", lastModified: "Fri"))
        )
        let answer = try await ask(bank)
        guard case .file(let file, let validators) = answer else { throw Unexpected() }
        #expect(file == (try Files.reader(today: "2026-11-02").read(body)))
        #expect(validators == RateFileValidators(entityTag: "\"a\"", lastModified: "Fri"))
        let request = try #require(bank.requests.withLock { $0.first })
        #expect(request.method == "GET" && request.body == nil)
        #expect(request.url == "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml")
        #expect(bank.headers["If-None-Match"] == nil && bank.headers["If-Modified-Since"] == nil)
    }

    @Test func theNextOneNamesTheFileThatIsThere() async throws {
        let bank = Bank(.success(HTTPResponse(status: 304, body: [])))
        let answer = try await ask(bank, RateFileValidators(entityTag: "\"a\"", lastModified: "Fri"))
        #expect(answer == .unchanged)
        #expect(bank.headers["If-None-Match"] == "\"a\"" && bank.headers["If-Modified-Since"] == "Fri")
        _ = try await ask(bank, RateFileValidators(entityTag: nil, lastModified: "Fri"))
        #expect(bank.headers["If-None-Match"] == nil && bank.headers["If-Modified-Since"] == "Fri")
    }

    @Test(arguments: [204, 206, 301, 302, 304, 307, 404, 429, 500, 503])
    func anotherStatusIsNoFile(status: Int) async throws {
        let body = try Files.bytes("eurofxref-daily.xml")
        let bank = Bank(.success(HTTPResponse(status: status, body: body, retryAfterSeconds: 9)))
        await #expect(throws: RateFeedError.refused(status: status, retryAfterSeconds: 9)) {
            try await ask(bank)
        }
    }

    @Test func whatFailsSaysWhy() async throws {
        await #expect(throws: RateFeedError.unreachable("the response is too long")) {
            try await ask(Bank(.failure(.tooLong)))
        }
        let page = Bank(.success(HTTPResponse(status: 200, body: Array("<html></html>".utf8))))
        let error = await #expect(throws: RateFeedError.self) { try await ask(page) }
        #expect("\(try #require(error))".hasPrefix("the answer is no usable file of rates: line 1: "))
        #expect(
            "\(RateFeedError.refused(status: 302, retryAfterSeconds: nil))"
                == "the answer has the status 302, and redirects are not followed"
        )
    }

    private struct Unexpected: Error {}
}
