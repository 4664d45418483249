// Requests for the files of the European Central Bank.

public import Ledger
public import Outbound

/// The European Central Bank, or a copy of one of its files at another address.
public struct EuropeanCentralBankFeed: RateFeed {
    /// The daily file: 30 currencies in 2 KB.
    public static let dailyFile = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
    /// The longest response, in bytes: the 90-day file has 0.3 MB. The whole history is imported.
    public static let mostBytes = 4 << 20
    /// The time for a whole request, in seconds.
    public static let mostSeconds = 60.0

    /// As `RateFeed`.
    public let address: String
    private let http: any HTTPSending
    private let currencies: CurrencyTable

    /// - Parameters:
    ///   - address: the daily file or the 90-day file, as XML or as a zip file.
    ///   - http: a client with the limits above.
    ///   - currencies: rates of other currencies are left out.
    public init(_ address: String = dailyFile, http: any HTTPSending, currencies: CurrencyTable) {
        self.address = address
        self.http = http
        self.currencies = currencies
    }

    /// A client that has limits for these files.
    public static func client() -> HTTPClient {
        HTTPClient(stallSeconds: 20, totalSeconds: mostSeconds, responseBytes: mostBytes)
    }

    /// As `RateFeed`.
    public func newRates(since validators: RateFileValidators?, today: CivilDate)
        async throws(RateFeedError) -> RateFeedAnswer
    {
        var request = HTTPRequest("GET", address)
        request.headers = [
            ("Accept", "application/xml, application/zip, */*;q=0.1"), ("User-Agent", "Breadly"),
        ]
        if let tag = validators?.entityTag { request.headers.append(("If-None-Match", tag)) }
        if let time = validators?.lastModified { request.headers.append(("If-Modified-Since", time)) }
        let response: HTTPResponse
        do { response = try await http.send(request) } catch { throw .unreachable("\(error)") }
        if response.status == 304, validators != nil { return .unchanged }
        guard response.status == 200 else {
            throw .refused(status: response.status, retryAfterSeconds: response.retryAfterSeconds)
        }
        let reader = RateFileReader(currencies: currencies, today: today)
        let file: RateFile
        // The content decides, whatever type the response states.
        do { file = try reader.read(response.body) } catch { throw .badFile(error) }
        let fresh = RateFileValidators(entityTag: response.entityTag, lastModified: response.lastModified)
        return .file(file, fresh)
    }
}
