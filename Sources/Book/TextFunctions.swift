// Functions of texts that the statements of a book use, in triggers too.
import Encoding
import GRDB

extension BookSchema {
    /// The functions that triggers call. The version is in the name of each: what they have returned is stored, so that a
    /// function that returns anything else needs another name, and a migration that fills the tables anew.
    static let functions = [
        DatabaseFunction("name_key_1", argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0])?.nameKey
        },
        DatabaseFunction("search_words_1", argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0]).map(SearchIndex.words)
        },
    ]
}
