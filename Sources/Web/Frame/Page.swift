// Pages: values with the templates that show them.

package import Templates

/// A page of Breadly: all values that its template shows.
package protocol Page: TemplateModel {
    /// The name of its template below `Resources/templates`, without the ending: `transactions/index`.
    static var template: String { get }
}
