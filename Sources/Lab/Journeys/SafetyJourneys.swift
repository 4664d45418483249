// The journeys of safety: one for each row of the table of what happens to data.

import Ledger
import Texts

extension Journeys {
    static let safety: [Journey] = []
}
