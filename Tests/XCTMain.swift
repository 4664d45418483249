// Where the tests begin. Because of this file the package manager looks for no tests of XCTest, for which a build would need
// an index.
import CSystem
import Testing

@main struct Tests {
    static func main() async {
        breadly_count_no_database_memory()
        await Testing.__swiftPMEntryPoint() as Never
    }
}
