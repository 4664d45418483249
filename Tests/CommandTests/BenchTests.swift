// The bench reads pages of the product: a page that changes must not leave it behind.
import Testing

@Suite struct TheBench {
    @Test func comparesTheRenderersOnTheSamePage() throws {
        let ended = try Program(["--rendering", "--quick"], of: "breadly-bench").end()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output.contains("| printing the page of 50 transactions, "))
        #expect(ended.output.contains("| the same by string interpolation | "))
    }
}
