// The practical limit that Breadly is measured against: libmicrohttpd and SQLite in bare C.
//
//   baseline fill DB < ROWS.tsv               date, payee, note, account, category, icon, color, kind, cents
//   baseline serve DB PORT THREADS HEAD TAIL  HEAD and TAIL: what stands around the fifty rows of the page
//
// GET /tx?m=YYYY-MM writes the same markup as Breadly's list of transactions, GET /summary?y=YYYY adds a year up by
// category and month, as one would write it: queries over the rows, statements prepared once a thread.
// POST /discard reads a body and forgets it; POST /store writes it to a file, which is durable when the answer is sent.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <libgen.h>
#include <microhttpd.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { char *bytes; size_t count, capacity; } Buffer;
typedef struct { sqlite3 *db; sqlite3_stmt *list, *totals, *summary; Buffer out; } Worker;

static const char *path;
static Buffer head, tail;
static __thread Worker *worker;

static void raw(Buffer *b, const char *s, size_t n) {
    if (b->count + n > b->capacity) {
        while (b->count + n > b->capacity) b->capacity = b->capacity ? b->capacity * 2 : 65536;
        if (!(b->bytes = realloc(b->bytes, b->capacity))) abort();
    }
    memcpy(b->bytes + b->count, s, n);
    b->count += n;
}
#define LITERAL(b, s) raw(b, s, sizeof(s) - 1)

static void escaped(Buffer *b, const char *s) {
    for (; *s; s++) switch (*s) {
        case '&': LITERAL(b, "&amp;"); break;
        case '<': LITERAL(b, "&lt;"); break;
        case '>': LITERAL(b, "&gt;"); break;
        case '"': LITERAL(b, "&quot;"); break;
        case '\'': LITERAL(b, "&#39;"); break;
        default: raw(b, s, 1);
    }
}
static void number(Buffer *b, long long v) { char t[24]; raw(b, t, (size_t)sprintf(t, "%lld", v)); }
static void money(Buffer *b, long long v) {
    char t[40];
    unsigned long long u = v < 0 ? -(unsigned long long)v : (unsigned long long)v;
    if (v < 0) LITERAL(b, "\u2212");
    LITERAL(b, "\u20ac");
    if (u >= 100000) raw(b, t, (size_t)sprintf(t, "%llu,%03llu.%02llu", u / 100000, u / 100 % 1000, u % 100));
    else raw(b, t, (size_t)sprintf(t, "%llu.%02llu", u / 100, u % 100));
}
static const char *text(sqlite3_stmt *s, int i) { const char *t = (const char *)sqlite3_column_text(s, i); return t ? t : ""; }

static void check(int failed, const char *what) { if (failed) { fprintf(stderr, "baseline: %s\n", what); exit(1); } }
static sqlite3_stmt *prepared(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s = 0;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, 0), sqlite3_errmsg(db));
    return s;
}
static Worker *mine(void) {
    if (worker) return worker;
    Worker *w = calloc(1, sizeof *w);
    check(!w || sqlite3_open_v2(path, &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0), "cannot open");
    sqlite3_exec(w->db, "PRAGMA synchronous = FULL; PRAGMA mmap_size = 268435456", 0, 0, 0);
    w->list = prepared(w->db,
        "SELECT t.id, t.date, t.payee, t.note, t.account, c.name, c.icon, c.color, t.cents FROM transactions t"
        " JOIN categories c ON c.id = t.category WHERE t.date BETWEEN ?1 AND ?2 ORDER BY t.date DESC, t.id DESC LIMIT 50");
    w->totals = prepared(w->db,
        "SELECT count(*), sum(max(cents, 0)), sum(min(cents, 0)) FROM transactions WHERE date BETWEEN ?1 AND ?2");
    w->summary = prepared(w->db,
        "SELECT c.name, s.month, s.cents FROM (SELECT category, substr(date, 6, 2) month, sum(cents) cents"
        " FROM transactions WHERE date BETWEEN ?1 AND ?2 GROUP BY 1, 2) s JOIN categories c ON c.id = s.category");
    return worker = w;
}
static void span(sqlite3_stmt *s, const char *from, const char *to) {
    sqlite3_bind_text(s, 1, from, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(s, 2, to, -1, SQLITE_TRANSIENT);
}
static void list(Worker *w, const char *month) {
    Buffer *b = &w->out;
    char from[16], to[16];
    snprintf(from, sizeof from, "%.7s-01", month);
    snprintf(to, sizeof to, "%.7s-31", month);
    raw(b, head.bytes, head.count);
    sqlite3_exec(w->db, "BEGIN", 0, 0, 0);
    span(w->totals, from, to);
    while (sqlite3_step(w->totals) == SQLITE_ROW) {
        LITERAL(b, "<dl class=\"pair two\"><dd>");
        money(b, sqlite3_column_int64(w->totals, 1));
        LITERAL(b, "</dd><dd>");
        money(b, sqlite3_column_int64(w->totals, 2));
        LITERAL(b, "</dd></dl>");
    }
    sqlite3_reset(w->totals);
    span(w->list, from, to);
    sqlite3_stmt *s = w->list;
    while (sqlite3_step(s) == SQLITE_ROW) {
        long long id = sqlite3_column_int64(s, 0), cents = sqlite3_column_int64(s, 8);
        LITERAL(b, "<li data-id=\""); number(b, id);
        LITERAL(b, "\" data-kind=\"transaction\">\n<a class=\"row\" href=\"/transactions/"); number(b, id);
        LITERAL(b, "\">\n<span class=\"dot\" data-color=\""); escaped(b, text(s, 7));
        LITERAL(b, "\"><svg class=\"i\" aria-hidden=\"true\"><use href=\"/static/icons-0123456789abc.svg#"); escaped(b, text(s, 6));
        LITERAL(b, "\"/></svg></span>\n<span><span class=\"t\">"); escaped(b, text(s, 2));
        LITERAL(b, "</span><span class=\"s\">"); escaped(b, text(s, 5));
        LITERAL(b, " \u00b7 "); escaped(b, text(s, 4));
        if (*text(s, 3)) { LITERAL(b, " \u00b7 "); escaped(b, text(s, 3)); }
        LITERAL(b, "</span></span>\n<span class=\"e\"><span class=\"amt");
        if (cents > 0) LITERAL(b, " in");
        LITERAL(b, "\" data-amount=\""); number(b, cents);
        LITERAL(b, "\" data-currency=\"EUR\">"); money(b, cents);
        LITERAL(b, "</span></span>\n</a>\n</li>\n");
    }
    sqlite3_reset(s);
    sqlite3_exec(w->db, "COMMIT", 0, 0, 0);
    raw(b, tail.bytes, tail.count);
}
static void summary(Worker *w, const char *year) {
    char from[16], to[16];
    snprintf(from, sizeof from, "%.4s-01-01", year);
    snprintf(to, sizeof to, "%.4s-12-31", year);
    span(w->summary, from, to);
    while (sqlite3_step(w->summary) == SQLITE_ROW) {
        LITERAL(&w->out, "<tr><td>"); escaped(&w->out, text(w->summary, 0));
        LITERAL(&w->out, "</td><td>"); escaped(&w->out, text(w->summary, 1));
        LITERAL(&w->out, "</td><td>"); money(&w->out, sqlite3_column_int64(w->summary, 2));
        LITERAL(&w->out, "</td></tr>");
    }
    sqlite3_reset(w->summary);
}
static void sync_folder(void) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    int f = open(dirname(folder), O_RDONLY | O_DIRECTORY);
    check(f < 0 || fsync(f) || close(f), "cannot sync the folder");
}
typedef struct { int file; char name[4096]; } Upload;
static enum MHD_Result upload_body(struct MHD_Connection *connection, const char *url, const char *bytes, size_t *size, void **state) {
    static unsigned long number;
    Upload *u = *state;
    if (!u) {
        check(!(u = *state = calloc(1, sizeof *u)), "no memory");
        u->file = -1;
        if (strcmp(url, "/store")) return MHD_YES;
        snprintf(u->name, sizeof u->name, "%s.%lu", path, __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
        check((u->file = open(u->name, O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0, "cannot create a file");
        return MHD_YES;
    }
    if (*size) {
        if (u->file >= 0) check(write(u->file, bytes, *size) != (ssize_t)*size, "cannot write");
        *size = 0;
        return MHD_YES;
    }
    if (u->file >= 0) {
        check(fsync(u->file) || close(u->file), "cannot sync");
        sync_folder();
    }
    free(u);
    struct MHD_Response *r = MHD_create_response_from_buffer(2, "ok", MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(connection, 200, r);
    MHD_destroy_response(r);
    return result;
}
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *size, void **state) {
    (void)context; (void)version;
    if (!strcmp(method, "POST")) return upload_body(connection, url, upload, size, state);
    static int seen;
    if (!*state) { *state = &seen; return MHD_YES; }
    Worker *w = mine();
    w->out.count = 0;
    const char *m = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "m");
    const char *y = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "y");
    if (!strcmp(url, "/tx") && m) list(w, m);
    else if (!strcmp(url, "/summary") && y) summary(w, y);
    struct MHD_Response *r = MHD_create_response_from_buffer(w->out.count, w->out.bytes, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(r, "Content-Type", "text/html; charset=utf-8");
    enum MHD_Result result = MHD_queue_response(connection, w->out.count ? 200 : 404, r);
    MHD_destroy_response(r);
    return result;
}
static Buffer file(const char *name) {
    Buffer b = {0};
    char piece[4096];
    FILE *f = fopen(name, "rb");
    check(!f, name);
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;) raw(&b, piece, n);
    fclose(f);
    return b;
}
static void fill(void) {
    sqlite3 *db;
    check(sqlite3_open(path, &db), "cannot make the database");
    check(sqlite3_exec(db,
        "PRAGMA journal_mode = WAL; BEGIN;"
        "CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT UNIQUE, icon TEXT, color TEXT);"
        "CREATE TABLE transactions (id INTEGER PRIMARY KEY, date TEXT, payee TEXT, note TEXT, account TEXT,"
        " category INTEGER REFERENCES categories, cents INTEGER)", 0, 0, 0), sqlite3_errmsg(db));
    sqlite3_stmt *category = prepared(db, "INSERT OR IGNORE INTO categories (name, icon, color) VALUES (?1, ?2, ?3)");
    sqlite3_stmt *row = prepared(db,
        "INSERT INTO transactions (date, payee, note, account, category, cents)"
        " SELECT ?1, ?2, ?3, ?4, id, ?6 FROM categories WHERE name = ?5");
    char *line = 0;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        char *rest = line, *f[9] = {0};
        for (int i = 0; i < 9; i++) check(!(f[i] = strsep(&rest, "\t\n")), "a row without nine columns");
        for (int i = 0; i < 3; i++) sqlite3_bind_text(category, i + 1, f[4 + i], -1, SQLITE_TRANSIENT);
        sqlite3_step(category);
        sqlite3_reset(category);
        for (int i = 0; i < 5; i++) sqlite3_bind_text(row, i + 1, f[i], -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(row, 6, atoll(f[8]));
        check(sqlite3_step(row) != SQLITE_DONE, sqlite3_errmsg(db));
        sqlite3_reset(row);
    }
    check(sqlite3_exec(db, "CREATE INDEX by_date ON transactions (date, id); COMMIT; ANALYZE", 0, 0, 0), sqlite3_errmsg(db));
    sqlite3_finalize(category);
    sqlite3_finalize(row);
    sqlite3_close(db);
}
int main(int count, char **words) {
    check(count < 3, "fill DB, or serve DB PORT THREADS HEAD TAIL");
    path = words[2];
    if (!strcmp(words[1], "fill")) { fill(); return 0; }
    check(count < 7, "serve DB PORT THREADS HEAD TAIL");
    head = file(words[5]);
    tail = file(words[6]);
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[3])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, 0, 0, answer, 0, MHD_OPTION_SOCK_ADDR, &address,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned)atoi(words[4]), MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
    check(!daemon, "cannot listen");
    puts("ready");
    fflush(stdout);
    int got;
    sigwait(&stops, &got);
    MHD_stop_daemon(daemon);
    return 0;
}
