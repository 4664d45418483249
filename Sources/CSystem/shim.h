// What the system offers and Swift has no name for.
#pragma once
#include <malloc.h>
#include <sqlite3.h>

/// Lets threads share so many heaps. Each thread that opens a book would otherwise get one of its own, and what is freed in
/// one is not used again by another: some 5 MB with twenty open books. Before the first thread starts.
static inline void breadly_share_heaps(int count) { mallopt(M_ARENA_MAX, count); }

/// Gives the system back what was freed and lies in pieces between what is in use, as closed books leave it.
static inline void breadly_give_back_memory(void) { malloc_trim(0); }

/// Ends SQLite's count of the memory that it uses, which all connections of a process share under one lock: a tenth to a third
/// of the time where many books are opened at once. Nothing reads it. Before the first database is opened.
static inline void breadly_count_no_database_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
