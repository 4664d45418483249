// Where the tests begin. Because of this file the package manager looks for no tests of XCTest, for which a build would need
// an index.
import Testing

@main struct Tests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
