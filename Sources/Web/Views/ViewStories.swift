// The saved views.

import Ledger
import Texts

enum ViewStories {
    static let all: [Story] = [
        Story("views", .transactions, "Saved views, and the form for another one") { sample in
            ViewsPage(
                chrome: sample.chrome,
                views: sample.savedViews,
                form: sample.viewForm(FormState(values: ["query": "month=all&amount=%3E100"]))
            )
        },
        Story("views-empty", .transactions, "None yet") { sample in
            ViewsPage(chrome: sample.chrome, views: [], form: nil)
        },
        Story("views-replace", .transactions, "Refused: the name is in use, and may be replaced") { sample in
            let name = sample.savedViews[0].name
            var state = FormState(values: ["name": name, "query": "month=all&tag=trip"])
            state.order = ViewEntry.fields
            state.refuse("name", Text("views.replace-it", ["name": .string(name.isolated)]))
            state.confirmations["name"] = FieldConfirmation(name: "same_name", value: name)
            return ViewsPage(chrome: sample.chrome, views: sample.savedViews, form: sample.viewForm(state))
        },
        Story("view", .transactions, "One view, to rename or to delete") { sample in
            let view = sample.savedViews[0]
            return ViewEditPage(
                chrome: sample.chrome,
                view: view,
                form: sample.viewForm(
                    FormState(values: ["name": view.name, "query": view.query]),
                    editing: view.id
                )
            )
        },
    ]
}

extension Sample {
    var savedViews: [SavedView] {
        [
            SavedView(
                id: Self.id(301),
                name: typed("Large & this month"),
                query: "days=this-month&amount=%3E100"
            ),
            SavedView(id: Self.id(302), name: typed("Trip to Rome"), query: "month=all&tag=rome"),
        ]
    }

    fileprivate func viewForm(_ state: FormState, editing: EntityID? = nil) -> ViewForm {
        ViewForm(state: state, editing: editing, once: Self.once)
    }
}
