// Bytes as text: hexadecimal digits, base64, percent-encoding; and the comparison of secrets.
import Foundation
import TestKit
import Testing

@testable import Encoding

@Suite struct HexadecimalDigits {
    @Test func bytesAreWrittenAndReadAgain() {
        let all = (0...255).map { UInt8($0) }
        #expect(Hex.encode(all) == all.map { String(format: "%02x", $0) }.joined())
        #expect(Hex.decode(Hex.encode(all)) == all)
        #expect(Hex.encode([]) == "" && Hex.decode("") == [])
        #expect(Hex.encode(0x0123_4567_89AB_CDEF as UInt64) == "0123456789abcdef")
        #expect(Hex.decodeWord("0123456789abcdef") == 0x0123_4567_89AB_CDEF)
        #expect(Hex.decodeWord("ffffffffffffffff") == .max && Hex.encode(UInt64.max) == "ffffffffffffffff")
    }

    @Test(arguments: [
        "0", "abc", "0g", "AB", "aB", " 00", "0 ", "+1", "-1", "0x", "é0", "０0", "１２", "a\u{301}0", "0\u{0}",
        "٣٣",
    ])
    func otherTextIsRefused(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test(arguments: [
        "", "0", "123456789abcde", "00123456789abcdef0", "+123456789abcdef", "0123456789ABCDEF",
        "0123456789abcdeg",
    ])
    func otherWordsAreRefused(text: String) {
        #expect(Hex.decodeWord(text) == nil)
    }
}

@Suite struct Base64Texts {
    /// Foundation's as the other opinion.
    @Test func bytesAreWrittenAsElsewhereAndReadAgain() {
        var random = SplitMix(seed: 64)
        for count in 0..<70 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let padded = Data(bytes).base64EncodedString()
            let bare = padded.replacing("=", with: "")
            let url = bare.replacing("+", with: "-").replacing("/", with: "_")
            #expect(Base64.padded.encode(bytes) == padded && Base64.padded.decode(padded) == bytes)
            #expect(Base64.unpadded.encode(bytes) == bare && Base64.unpadded.decode(bare) == bytes)
            #expect(Base64.url.encode(bytes) == url && Base64.url.decode(url) == bytes)
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "AA=", "AA==", "=", "AA\n", " AA", "A+", "A/", "A.", "AÄ", "ＡＡ", "A\u{0}", "AB", "AAB",
        "-_9",
    ])
    func otherTextIsNoBase64URL(text: String) {
        #expect(Base64.url.decode(text) == nil)
    }

    @Test(arguments: [
        "AA", "AA=", "AA===", "A===", "====", "=AAA", "AA=A", "AA==AA==", "AB==", "-_8=", "AA==\n",
    ])
    func wrongPaddingIsRefused(text: String) {
        #expect(Base64.padded.decode(text) == nil)
    }
}

@Suite struct PercentEncodedTexts {
    @Test func allButUnreservedCharactersAreEscaped() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(
            PercentEncoding.encode("a b+c&d=e/f?g%h#\n\u{0}é🍞")
                == "a%20b%2Bc%26d%3De%2Ff%3Fg%25h%23%0A%00%C3%A9%F0%9F%8D%9E"
        )
        #expect(PercentEncoding.encode("/a é?") { $0 != UInt8(ascii: "?") } == "/a %C3%A9%3F")
    }

    @Test func textIsReadAgain() {
        let text = String(String.UnicodeScalarView((1..<0x300).compactMap { Unicode.Scalar($0) }))
        #expect(PercentEncoding.decode(PercentEncoding.encode(text).utf8) == Array(text.utf8))
        #expect(PercentEncoding.decode("a+%2b%2B%00%ff".utf8) == [97, 43, 43, 43, 0, 255])
        #expect(PercentEncoding.decode("a+%2b".utf8, plusIsSpace: true) == [97, 32, 43])
        #expect(PercentEncoding.decode("".utf8) == [])
    }

    @Test(arguments: ["%", "a%", "%4", "%4g", "%g4", "%%41", "%+1", "% 1", "%4 1", "%é", "%４１", "%u0041"])
    func brokenEscapesAreRefused(text: String) {
        #expect(PercentEncoding.decode(text.utf8) == nil)
        #expect(PercentEncoding.decode(text.utf8, plusIsSpace: true) == nil)
    }
}

@Suite struct ComparingSecrets {
    @Test func onlyEqualBytesAreEqual() {
        let secret = (0..<32).map { UInt8($0) }
        #expect(isEqualInConstantTime(secret, secret) && isEqualInConstantTime("".utf8, "".utf8))
        #expect(!isEqualInConstantTime(secret, secret.dropLast()))
        #expect(!isEqualInConstantTime(secret.dropLast(), secret))
        for bit in 0..<256 {
            var other = secret
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isEqualInConstantTime(secret, other))
        }
        // Differences do not cancel each other out.
        #expect(!isEqualInConstantTime([1, 1] as [UInt8], [0, 0] as [UInt8]))
    }
}
