// What an operator's Prometheus reads: the text itself, and the addresses that it may be asked at.
import Testing

@testable import BreadlyApp

@Suite struct MetricsOfAProcess {
    @Test func valuesAreWrittenAsPrometheusReadsThem() {
        let metrics = Metrics()
        metrics.add(2, to: "b_total", ["why": "a \"b\"\\\n"])
        metrics.add(to: "b_total", ["why": "a \"b\"\\\n"])
        metrics.add(to: "b_total", ["why": "else"])
        metrics.note(seconds: 0.003, of: "a_seconds")
        metrics.note(seconds: 99, of: "a_seconds")
        var text = MetricsText(helps: ["b_total": "Bs."])
        metrics.write(into: &text)
        let lines = text.text.split(separator: "\n").map(String.init)
        #expect(
            lines[0...3] == [
                "# HELP b_total Bs.", "# TYPE b_total counter", #"b_total{why="a \"b\"\\\n"} 3"#,
                #"b_total{why="else"} 1"#,
            ]
        )
        #expect(lines[4] == "# TYPE a_seconds histogram")
        #expect(lines.contains(#"a_seconds_bucket{le="0.0025"} 0"#))
        #expect(lines.contains(#"a_seconds_bucket{le="0.005"} 1"#))
        #expect(lines.contains(#"a_seconds_bucket{le="+Inf"} 2"#))
        #expect(lines.suffix(2) == ["a_seconds_sum 99.003", "a_seconds_count 2"])
    }

    @Test func manyThreadsCountTogether() async {
        let metrics = Metrics()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<500 { metrics.add(to: "n") } } }
        }
        var text = MetricsText(helps: [:])
        metrics.write(into: &text)
        #expect(text.text.contains("n 4000\n"))
    }

    @Test(
        arguments: [
            ("127.0.0.1:9464", "127.0.0.1", 9_464), ("9464", "127.0.0.1", 9_464), ("[::1]:0", "::1", 0),
            ("0.0.0.0:65535", "0.0.0.0", 65_535),
        ] as [(String, String, UInt16)]
    )
    func anAddressIsRead(text: String, host: String, port: UInt16) {
        #expect(MetricsPlace(text)?.host == host && MetricsPlace(text)?.port == port)
    }

    @Test(arguments: [
        "", ":", ":9464", "here", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "a:b:c", "1.1.1.1:+5", "[]:5",
    ])
    func whatIsNoneIsRefused(text: String) { #expect(MetricsPlace(text) == nil) }
}
