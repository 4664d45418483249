// The fields by which a server recognizes a file at the next request.
import Foundation
import TestKit
import Testing

@testable import Outbound

@Suite struct ValidatorsOfAResponse {
    private func exchange(_ response: String, _ headers: [(name: String, value: String)] = []) async throws
        -> (request: [String], response: HTTPResponse)
    {
        let server = try LoopbackServer()
        let script = server.run { server in
            let connection = try server.accept()
            let lines = try connection.requestLines()
            connection.send(response)
            return lines
        }
        let request = HTTPRequest("GET", server.url("/"), headers: headers)
        let answer = try await HTTPClient(stallSeconds: 600).send(request)
        return (try await script.value, answer)
    }

    @Test func theTagAndTheTimeAreThoseOfTheServer() async throws {
        let (request, response) = try await exchange(
            "HTTP/1.1 200 OK\r\neTAG:  W/\"a b\" \r\nlast-modified: Fri, 20 Nov 2026 15:00:00 GMT\r\n"
                + "Content-Length: 2\r\n\r\nok"
        )
        #expect(response.entityTag == "W/\"a b\"" && response.status == 200)
        #expect(response.lastModified == "Fri, 20 Nov 2026 15:00:00 GMT")
        #expect(request.contains("Accept: application/json"))
    }

    @Test func aResponseWithoutThemHasNone() async throws {
        let (request, response) = try await exchange(
            "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\n\r\nHTTP/1.1 200 OK\r\nX-ETag: \"x\"\r\n"
                + "Last-Modified:\r\nContent-Length: 0\r\n\r\n",
            [("Accept", "application/xml")]
        )
        #expect(response.entityTag == nil && response.lastModified == nil)
        #expect(request.filter { $0.hasPrefix("Accept:") } == ["Accept: application/xml"])
    }

    @Test(arguments: [
        "ETag: \"\u{1}\"\r\n", "ETag: \"é\"\r\n", "ETag: \"\(String(repeating: "x", count: 300))\"\r\n",
        "ETag:   \r\n", "ETag\r\n", ": \"x\"\r\n", "\r\n", "",
    ])
    func aTagThatCannotBeSentBackIsNone(line: String) {
        var head = ResponseHead()
        head.read(Array(line.utf8))
        #expect(head.entityTag == nil)
    }

    @Test(
        arguments: [
            ("Content-Type: application/json", "application/json"),
            ("content-type:Application/JSON; charset=utf-8", "application/json"),
            ("Content-Type: text/html ;a", "text/html"),
            ("Content-Type:", nil), ("Content-Types: a/b", nil),
        ] as [(String, String?)]
    )
    func theContentTypeIsReadWithoutParameters(line: String, type: String?) {
        var head = ResponseHead()
        head.read(Array("\(line)\r\n".utf8))
        #expect(head.contentType == type)
    }
}
