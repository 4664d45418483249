// The names of browsers in the lists of devices and changes, from what the browsers send.
import Testing

@testable import Web

private let namesByUserAgent: [(String?, String)] = [
    (nil, "A browser"), ("curl/8.5.0", "A browser"), ("Mozilla/5.0 (X11; Linux)", "A browser on Linux"),
    ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36", "Chrome on Linux"),
    ("Mozilla/5.0 (Linux; Android 10; K) Chrome/131.0 Mobile Safari/537.36", "Chrome on Android"),
    ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/131.0 Safari/537.36 Edg/131.0", "Edge on Windows"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15", "Safari on Mac"),
]

@Suite struct NamesOfDevices {
    @Test(arguments: namesByUserAgent)
    func areThoseOfABrowserAndItsSystem(sent: String?, name: String) {
        #expect(DeviceName.of(sent) == name)
    }
}
