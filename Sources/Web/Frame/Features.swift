// The parts of the app by noun: what each adds to the addresses and the pages.

import HTTPServer
import Ledger
import Links

/// The part of the app for one noun: actions at its addresses, and the pages that they show.
///
/// Its declaration stands at the head of the file with its actions, below the addresses themselves.
struct Feature: Sendable {
    /// The actions by method and address.
    let routes: [Route<Action>]
    /// The forms that show again what was typed if their token is outdated.
    var refills: [Route<Action>] = []
    /// The pages, whose templates are bound when the server starts.
    var pages: [any Page.Type] = []
    /// The addresses that templates print with `{{link NAME}}`, by that name.
    var links: [String: Link] = [:]

    /// All features.
    static let all: [Feature] = [
        .overview,
        .onboarding,
        .transactions,
        .receipts,
        .accounts,
        .categories,
        .order,
        .payees,
        .rules,
        .views,
        .budgets,
        .schedules,
        .reports,
        .rates,
        .banks,
        .settings,
        .userAccount,
        .sync,
        .history,
        .help,
        .export,
        .operation,
        .frame,
    ]
}

extension Feature {
    /// The routes that every kind of entity has.
    static func entities<Entry: EntityEntry>(
        _ kind: Entry.Type,
        _ list: Link,
        _ one: LinkTo<EntityID>,
        add: @escaping Action = EntityAdd<Entry>.answer,
        change: @escaping @Sendable (RequestContext, EntityID) throws -> Response = EntityChange<Entry>.answer
    ) -> [Route<Action>] {
        [
            post(list, add), get(to: one, EntityShow<Entry>.answer),
            post(to: one, change), post(to: Entry.deleteLink, EntityDelete<Entry>.answer),
            post(to: Entry.restoreLink, EntityRestore<Entry>.answer),
        ]
    }

    static func get(_ link: Link, _ action: @escaping Action) -> Route<Action> {
        Route("GET", Path(link.path), action)
    }

    static func post(_ link: Link, _ action: @escaping Action) -> Route<Action> {
        Route("POST", Path(link.path), action)
    }

    static func get<Printed, Value: PathValue>(
        to links: LinkTo<Printed>,
        _ action: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Route<Action> {
        Route("GET", PathWith<Value>(links.pattern)) { value in { context in try action(context, value) } }
    }

    /// - Parameter action: parses the value of a link as a type of its own, such as a key from a text.
    static func post<Printed, Value: PathValue>(
        to links: LinkTo<Printed>,
        _ action: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Route<Action> {
        Route("POST", PathWith<Value>(links.pattern)) { value in { context in try action(context, value) } }
    }

    /// The forms of every kind of entity.
    static func refills<Entry: EntityEntry>(_ kind: Entry.Type, _ list: Link, _ one: LinkTo<EntityID>)
        -> [Route<Action>]
    {
        [post(list, EntityAdd<Entry>.refilled), post(to: one, EntityChange<Entry>.refilled)]
    }
}
