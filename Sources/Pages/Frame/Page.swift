// What a page is: a value that is ready to show, and the template that shows it.

public import Templates

/// One page of Breadly: everything that its template shows, ready to show.
public protocol Page: TemplateModel {
    /// The name of its template below `Resources/templates`, without the ending: `transactions/index`.
    static var template: String { get }
}
