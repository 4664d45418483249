// The codes of the reasons why a file is not in the cloud.
import Ledger
import Testing

@Suite struct ReasonsOfFailedUploads {
    @Test(arguments: [
        (UploadFailure.missing, "missing"), (.wrongContent, "wrong_content"),
        (.tooLarge(limit: 5), "too_large 5"),
        (.quota(used: 6, limit: 7), "quota 6 7"), (.refused, "refused"),
    ])
    func haveCodes(failure: UploadFailure, code: String) {
        #expect(failure.code == code && UploadFailure(code: code) == failure)
    }

    @Test(arguments: ["", "quota", "quota 1", "quota x y", "too_large", "too_large 1 2", "something new"])
    func ofAnotherVersionAreRefusals(code: String) { #expect(UploadFailure(code: code) == .refused) }
}
