// The places, apart from journeys, at which a row of the coverage can be seen.

import Links
import Texts
import Web

/// A page of a device, or a part of the lab.
enum CoveragePlace: String, Hashable, Sendable {
    case welcome
    case signIn = "sign-in"
    case overview, transactions, accounts, categories, budgets, reports, rates
    case receipts, banks, settings, sync, history, status
    case lab, storybook
    /// The lines that the demo prints.
    case log

    var label: Text {
        guard let name else {
            switch self {
            case .storybook: return Text("lab.pages")
            case .log: return Text("coverage.in-the-log")
            default: return Text("coverage.in-the-lab")
            }
        }
        return Text("coverage.on-a-device", ["page": .text(name)])
    }

    /// Its address; on the first device for a page of a device. Nil for the log.
    var address: String? {
        switch self {
        case .lab: Link.lab.text
        case .storybook: Link.labPages.text
        case .log: nil
        default: page.map { String(Link.labDevice(1).text.dropLast()) + $0.text }
        }
    }

    /// The name of the page of a device; nil for what is on none.
    private var name: Text? {
        switch self {
        case .welcome: Text("onboarding.welcome")
        case .signIn: Text("common.sign-in")
        case .overview: Text("chrome.overview")
        case .transactions: Text("common.transactions")
        case .accounts: Text("common.accounts")
        case .categories: Text("common.categories")
        case .budgets: Text("common.budgets")
        case .reports: Text("chrome.reports")
        case .rates: Text("rates.exchange-rates")
        case .receipts: Text("receipts.receipts-and-documents")
        case .banks: Text("banks.banks")
        case .settings: Text("common.settings")
        case .sync: Text("sync.sync")
        case .history: Text("common.history")
        case .status: Text("status.status")
        case .lab, .storybook, .log: nil
        }
    }

    /// The address of that page below the device.
    private var page: Link? {
        switch self {
        case .welcome: .welcome
        case .signIn: .signIn
        case .overview: .overview
        case .transactions: .transactions
        case .accounts: .accounts
        case .categories: .categories
        case .budgets: .budgets
        case .reports: .reports
        case .rates: .rates
        case .receipts: .receipts
        case .banks: .banks
        case .settings: .settings
        case .sync: .sync
        case .history: .history
        case .status: .statusPage
        case .lab, .storybook, .log: nil
        }
    }
}
