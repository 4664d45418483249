// The lifecycle's state as the table `devices` stores it.
import Lifecycle
import Storage

extension State {
    /// The state as the table `devices` stores it: JSON with sorted keys. For version 0.1, which does not
    /// understand it, the state is `uninitialized`.
    func encoded() throws -> String { try StoredJSON.encode(self) }

    /// Decodes a stored text, also one of version 0.1. Nil for a text that this version does not understand.
    init?(encoded: String) {
        let state =
            encoded.hasPrefix("{") ? StoredJSON.decode(State.self, encoded) : State(words: encoded)
        guard let state, state.depth <= State.deepest else { return nil }
        self = state
    }
}
