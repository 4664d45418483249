// The name of a browser for its user: the meaningful parts of `User-Agent`.

enum DeviceName {
    /// Such as `Firefox on Linux`; `A browser` if nothing is recognised.
    static func of(_ userAgent: String?) -> String {
        guard let userAgent else { return "A browser" }
        let browser = browsers.first { userAgent.contains($0.mark) }?.name
        let system = systems.first { userAgent.contains($0.mark) }?.name
        return switch (browser, system) {
        case (let browser?, let system?): "\(browser) on \(system)"
        case (let browser?, nil): browser
        case (nil, let system?): "A browser on \(system)"
        case (nil, nil): "A browser"
        }
    }

    /// The most specific first, because most browsers also name the browsers below.
    private static let browsers = [
        (mark: "Edg", name: "Edge"), (mark: "OPR/", name: "Opera"), (mark: "Vivaldi", name: "Vivaldi"),
        (mark: "SamsungBrowser", name: "Samsung Internet"), (mark: "Firefox", name: "Firefox"),
        (mark: "FxiOS", name: "Firefox"), (mark: "Chrome", name: "Chrome"), (mark: "CriOS", name: "Chrome"),
        (mark: "Safari", name: "Safari"),
    ]

    private static let systems = [
        (mark: "iPhone", name: "iPhone"), (mark: "iPad", name: "iPad"), (mark: "Android", name: "Android"),
        (mark: "Windows", name: "Windows"), (mark: "Mac OS X", name: "Mac"), (mark: "CrOS", name: "ChromeOS"),
        (mark: "Linux", name: "Linux"),
    ]
}
