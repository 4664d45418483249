// The templates of the lab's own pages.

import HTTPServer
import Templates
import Texts
import Web

/// The templates of the lab, prepared for rendering.
struct LabLibrary: Sendable {
    private let lab: PageTemplate<LabPage>
    private let journeys: PageTemplate<JourneysPage>
    private let coverage: PageTemplate<CoveragePage>
    private let people: PageTemplate<PeoplePage>
    private let bank: PageTemplate<BankConsentPage>
    private let problem: PageTemplate<ProblemPage>

    init(_ library: TemplateLibrary) throws(TemplateError) {
        lab = try library.page(LabPage.template, for: LabPage.self)
        journeys = try library.page(JourneysPage.template, for: JourneysPage.self)
        coverage = try library.page(CoveragePage.template, for: CoveragePage.self)
        people = try library.page(PeoplePage.template, for: PeoplePage.self)
        bank = try library.page(BankConsentPage.template, for: BankConsentPage.self)
        problem = try library.page(ProblemPage.template, for: ProblemPage.self)
    }

    func render(_ page: some Page, into out: ByteBuffer) {
        switch page {
        case let page as LabPage: lab.render(page, into: out)
        case let page as JourneysPage: journeys.render(page, into: out)
        case let page as CoveragePage: coverage.render(page, into: out)
        case let page as PeoplePage: people.render(page, into: out)
        case let page as BankConsentPage: bank.render(page, into: out)
        case let page as ProblemPage: problem.render(page, into: out)
        default: break
        }
    }
}

/// The addresses of the files that the lab's pages load.
struct LabAssets: TemplateModel {
    let css: String
    let labCSS: String
    let script: String
    let favicon: String
    /// A file for the journeys in which the reviewer chooses one.
    let receipt: String

    init(_ files: StaticFiles) {
        func address(_ name: String) -> String { files.address(of: name) ?? "" }
        css = address("app.css")
        labCSS = address("lab.css")
        script = address("lab.js")
        favicon = address("favicon.svg")
        receipt = address("receipt.pdf")
    }

    static let keys = Keys<LabAssets>()
        .text("css") { $0.css }
        .text("lab_css") { $0.labCSS }
        .text("script") { $0.script }
        .text("favicon") { $0.favicon }
        .text("receipt") { $0.receipt }
}

/// An element of a list to choose from: the value of a button or an option, and its label.
struct LabChoice: TemplateModel {
    let value: String
    let label: Text
    var isChosen = false
    var help: Text?

    static let keys = Keys<LabChoice>()
        .text("value") { $0.value }
        .message("label") { $0.label }
        .flag("is_chosen") { $0.isChosen }
        .optionalMessage("help") { $0.help }
}
