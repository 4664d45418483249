// Texts that earlier versions have stored are brought into the one form between requests, in each book once.

import Book

extension Device {
    /// The pause between two steps, in milliseconds. A change of the user that waits for one step is made before the
    /// next.
    private static let textPause: Int64 = 20

    /// Begins to bring the texts of the book into the one form, unless that is under way. Each opening of a book that awaits
    /// it begins it, so that a process that ends meanwhile, or a step that fails, leaves the rest to the next opening.
    func normaliseTexts() {
        guard services.textForms.begin(id) else { return }
        services.tasks.run { [self] in
            defer { services.textForms.end(id) }
            do {
                while !Task.isCancelled {
                    await services.dependencies.pause(Self.textPause)
                    // Each step has its own lease, so that exclusive use does not wait for all of them.
                    let lease = try await lease()
                    guard !lease.book.isChanging else { continue }
                    guard try lease.book.normaliseTexts() else { return }
                }
            } catch {
                services.dependencies.log.warning(
                    "texts were not brought into one form: \(error) (device \(id))"
                )
            }
        }
    }
}
