// Every page's template, bound to its type when the application starts.

package import Links
package import Templates
package import Texts

/// The templates of all pages, prepared for rendering.
package struct PageLibrary: Sendable {
    /// The sentences of the pages' language.
    package let texts: TextCatalogue
    private let templates: [ObjectIdentifier: any Sendable]

    /// Reads and binds the template of every page.
    /// - Parameters:
    ///   - sources: UTF-8 by name, such as `transactions/index`.
    ///   - texts: the sentences of one language.
    ///   - base: the base path of the server.
    /// - Throws: `TemplateError` for the first template that does not fit its page.
    package init(sources: [String: [UInt8]], texts: TextCatalogue, base: BasePath = .root)
        throws(TemplateError)
    {
        self.texts = texts
        let links = TemplateLinks(base: base.text, named: Link.named.mapValues(\.text))
        let library = try TemplateLibrary(sources: sources, links: links, texts: texts)
        var binding = Binding(library: library)
        try binding.add(WelcomePage.self)
        try binding.add(CurrencyPage.self)
        try binding.add(SecondaryPage.self)
        try binding.add(CalendarPage.self)
        try binding.add(OverviewPage.self)
        try binding.add(TransactionsPage.self)
        try binding.add(TransactionEditPage.self)
        try binding.add(ReceiptsPage.self)
        try binding.add(DeletedReceiptsPage.self)
        try binding.add(AccountsPage.self)
        try binding.add(AccountEditPage.self)
        try binding.add(AccountRegisterPage.self)
        try binding.add(AccountMovePage.self)
        try binding.add(CategoriesPage.self)
        try binding.add(CategoryEditPage.self)
        try binding.add(BudgetsPage.self)
        try binding.add(BudgetEditPage.self)
        try binding.add(SchedulesPage.self)
        try binding.add(ScheduleEditPage.self)
        try binding.add(ReportsPage.self)
        try binding.add(RatesPage.self)
        try binding.add(BanksPage.self)
        try binding.add(BankConnectPage.self)
        try binding.add(BankAccountsPage.self)
        try binding.add(BankRowPage.self)
        try binding.add(BankRecordPage.self)
        try binding.add(SettingsPage.self)
        try binding.add(SignInPage.self)
        try binding.add(VerifyingPage.self)
        try binding.add(WaitingPage.self)
        try binding.add(BlockedPage.self)
        try binding.add(SubscriptionPage.self)
        try binding.add(SignOutPage.self)
        try binding.add(UserAccountDeletionPage.self)
        try binding.add(DevicesPage.self)
        try binding.add(PasswordPage.self)
        try binding.add(SyncPage.self)
        try binding.add(ReviewPage.self)
        try binding.add(DownloadPage.self)
        try binding.add(FirstDownloadPage.self)
        try binding.add(HistoryPage.self)
        try binding.add(HistoryChangePage.self)
        try binding.add(RemovedChangePage.self)
        try binding.add(HelpPage.self)
        try binding.add(StatusPage.self)
        try binding.add(ErrorPage.self)
        try binding.add(StaleFormPage.self)
        try binding.add(FramedErrorPage.self)
        templates = binding.templates
    }

    /// Renders a page.
    /// - Parameter out: the page's HTML is appended to it, in UTF-8.
    func render<Shown: Page>(_ page: Shown, into out: ByteBuffer) {
        // All page types are bound in `init`. An unbound one renders nothing, which its own test detects.
        (templates[ObjectIdentifier(Shown.self)] as? PageTemplate<Shown>)?.render(page, into: out)
    }
}

private struct Binding {
    let library: TemplateLibrary
    var templates: [ObjectIdentifier: any Sendable] = [:]

    mutating func add<Shown: Page>(_ type: Shown.Type) throws(TemplateError) {
        templates[ObjectIdentifier(type)] = try library.page(Shown.template, for: type)
    }
}
