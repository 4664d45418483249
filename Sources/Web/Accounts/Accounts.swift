import Book
import Devices
import HTTPServer
import Ledger
import Pages

/// `GET /accounts`: all of them with their balances, and the form that adds one.
enum AccountsShow {
    static func answer(_ context: RequestContext) throws -> Response { try page(context, nil, .ok) }

    static func page(_ context: RequestContext, _ refused: FormState?, _ status: Status) throws -> Response {
        let formats = try context.formats()
        let accounts = try context.book().accountBalances()
        let form = AccountForm(
            state: refused ?? AccountForm.blank(formats: formats),
            editing: nil,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: accounts.map(\.account), categories: [])),
            formats: formats
        )
        let page = AccountsPage(chrome: context.chrome(), formats: formats, accounts: accounts, form: form)
        return context.page(page, status)
    }
}

/// `POST /accounts`: adds one.
enum AccountAdd {
    static func answer(_ context: RequestContext) throws -> Response {
        var entry = try AccountEntry(context, id: context.onceID())
        if let account = entry.account {
            do {
                try add(account, context)
                return .seeOther(Routes.accounts.link)
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try AccountsShow.page(context, entry.state, .unprocessable)
    }

    private static func add(_ account: Account, _ context: RequestContext) throws {
        let book = try context.book()
        do { try book.add(account) } catch {
            guard case .idTaken = error else { throw error }
            var other = account
            other.id = context.newID()
            try book.add(other)
        }
    }
}

/// `GET /accounts/ID`: the form that changes it.
enum AccountShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let found = try context.book().account(id) else { throw Refusal.notFound }
        let state = AccountForm.values(of: found.account, formats: try context.formats())
        return try page(context, found, state, .ok)
    }

    static func page(
        _ context: RequestContext,
        _ account: AccountBalance,
        _ state: FormState,
        _ status: Status,
        deleteError: String? = nil
    ) throws -> Response {
        let formats = try context.formats()
        let form = AccountForm(
            state: state,
            editing: account.account.id,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: [account.account], categories: [])),
            formats: formats
        )
        let page = AccountEditPage(
            chrome: context.chrome(),
            formats: formats,
            account: account,
            form: form,
            deleteError: deleteError
        )
        return context.page(page, status)
    }
}

/// `POST /accounts/ID`: changes it.
enum AccountChange {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard let found = try book.account(id) else { throw Refusal.notFound }
        var entry = try AccountEntry(context, id: id)
        if let account = entry.account {
            do {
                try book.change(account)
                let device = try context.knownDevice()
                device.show(Device.Toast(key: "account-changed", text: "Account changed"))
                return .seeOther(Routes.accounts.link)
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try AccountShow.page(context, found, entry.state, .unprocessable)
    }
}

/// `POST /accounts/ID/delete`: only where nothing is on it.
enum AccountDelete {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let found = try book.account(id)
        do {
            try book.deleteAccount(id)
        } catch {
            guard case .accountInUse(let count) = error else { throw error }
            guard let found else { throw Refusal.notFound }
            let what = count == 1 ? "1 transaction is" : "\(count) transactions are"
            return try AccountShow.page(
                context,
                found,
                AccountForm.values(of: found.account, formats: try context.formats()),
                .unprocessable,
                deleteError: "\(what) on this account. Move or delete them first."
            )
        }
        let undo = Routes.accountRestore.link(id)
        try context.knownDevice().show(
            Device.Toast(key: "account-deleted", text: "Account deleted", undo: undo)
        )
        return .seeOther(Routes.accounts.link)
    }
}

/// `POST /accounts/ID/restore`: takes a deletion back.
enum AccountRestore {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        try context.book().restoreAccount(id)
        try context.knownDevice().show(Device.Toast(key: "account-restored", text: "Account restored"))
        return .seeOther(Routes.accounts.link)
    }
}
