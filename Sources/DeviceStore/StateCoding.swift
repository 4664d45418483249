// The lifecycle's state as the table `devices` stores it.
import Lifecycle
import Storage

extension State {
    /// The state as the table `devices` stores it: JSON with sorted keys.
    func encoded() throws -> String { try StoredJSON.encode(self) }

    /// Decodes a stored text. Nil for a text that this version does not understand.
    init?(encoded: String) {
        guard let state = StoredJSON.decode(State.self, encoded), state.depth <= State.deepest else {
            return nil
        }
        self = state
    }
}
