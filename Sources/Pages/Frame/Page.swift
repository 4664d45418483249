// Pages: values that are ready to show, with their templates.

public import Templates

/// One page of Breadly: everything that its template shows, ready to show.
public protocol Page: TemplateModel {
    /// The name of its template below `Resources/templates`, without the ending: `transactions/index`.
    static var template: String { get }
}
