// The operator's command for bank connections, with and without a running server.
import BankStandIns
import Foundation
import HTTPServer
import TestKit
import Testing

@Suite struct BankCommands {
    private let folder: Folder
    private let trueLayer: TrueLayerStandIn
    private let simpleFIN: SimpleFINStandIn

    init() throws {
        folder = try Folder()
        trueLayer = try TrueLayerStandIn()
        simpleFIN = try SimpleFINStandIn()
        try TrueLayerStandIn.clientSecret.write(toFile: folder("secret"), atomically: true, encoding: .utf8)
    }

    private var options: [String] {
        [
            "--truelayer-client-id", TrueLayerStandIn.clientID, "--truelayer-client-secret-file",
            folder("secret"), "--truelayer-auth-address", trueLayer.server.address,
            "--truelayer-api-address", trueLayer.server.address, "--simplefin", simpleFIN.server.host,
        ]
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws
        -> (status: Int32, output: String, errors: String)
    {
        try Program(["banks"] + arguments + ["--data", folder("data")], environment: environment).end()
    }

    @Test func theConnectionsAndTheProvidersAreListedWithAndWithoutAServer() throws {
        let program = try Program(["serve", "--port", "0", "--data", folder("data")] + options)
        let anna = Visitor(port: try #require(program.port))
        _ = try anna.onboard()
        _ = try anna.get("/sign-in")
        let password = "correct horse battery"
        _ = try anna.post("/sign-up", [("email", "anna@x.test"), ("password", password)])
        let empty = try run([])
        #expect(
            empty.output
                == """
                No provider is set up: give the options of breadly serve, or their variables
                No bank is connected

                """
        )
        _ = try anna.get("/banks/connect")
        let fields = [("provider", "simplefin"), ("setup_token", simpleFIN.token("a"))]
        try #require(try anna.post("/banks/connect", fields).status == 303)
        #expect(try becomesTrue { try run(options).output.contains("  connected  last refresh 20") })
        let running = try run(options)
        #expect(running.status == 0 && running.errors.isEmpty, "\(running.errors)")
        let lines = running.output.split(separator: "\n")
        #expect(lines.prefix(2) == ["truelayer  answers", "simplefin  answers"])
        #expect(lines.last?.hasPrefix("anna@x.test  ") == true)
        #expect(lines.last?.contains("  simplefin  connected  last refresh 20") == true)

        // Without the options, the command says which of them it needs.
        let unasked = try run([])
        #expect(
            unasked.output.hasPrefix(
                "simplefin  was not asked: give this command --simplefin as breadly serve"
            )
        )
        #expect(unasked.output.contains("  simplefin  connected  last refresh 20"))

        // The provider fails, and the server ends.
        simpleFIN.server.fail { $0.status = .unavailable }
        let id = try #require(try anna.get("/banks").html.elements.compactMap { $0["data-id"] }.first)
        _ = try anna.post("/banks/\(id)/refresh")
        program.kill(SIGTERM)
        _ = program.end()
        simpleFIN.server.fail { _ in }
        let stopped = try run(["--json"], environment: ["BREADLY_SIMPLEFIN": simpleFIN.server.host])
        #expect(stopped.status == 0, "\(stopped.errors)")
        for word in [
            #""answers" : true"#, #""provider" : "simplefin""#, #""state" : "failing""#,
            #""failure" : "refused""#, #""user" : "anna@x.test""#, #""refreshedAt" : "20"#,
        ] { #expect(stopped.output.contains(word), "\(word)") }
        for output in [running.output, stopped.output] {
            for planted in ["Planted", "987.65", SimpleFINStandIn.password, "Checking"] {
                #expect(!output.contains(planted), "\(planted)")
            }
        }
    }

    @Test func aProviderThatIsDownIsSaidSo() throws {
        let program = try Program(["serve", "--port", "0", "--data", folder("data")])
        _ = try #require(program.port)
        program.kill(SIGTERM)
        _ = program.end()
        // The port is free again at once.
        let port = try LoopbackServer().port
        let result = try run(["--simplefin", "127.0.0.1:\(port)"])
        #expect(result.status == 0 && result.output.hasPrefix("simplefin  "), "\(result.errors)")
        #expect(!result.output.contains("answers") && result.output.contains("No bank is connected"))
    }

    @Test func aFolderWithoutDevicesIsAnError() throws {
        let result = try run([])
        #expect(result.status == 1 && result.errors.contains("there is no such file"))
    }
}
