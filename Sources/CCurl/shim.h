// libcurl, found when it is first needed: most servers send no request, and linked it would cost each of them some
// 7 MB and 25 ms at the start for the libraries that it brings. Its binary interface has been the same since 2006
// (so.4); the numbers below are part of it (curl.h, multi.h). curl_multi_poll and curl_multi_wakeup came with 7.68.
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>

struct breadly_curl_list;

/// CURLMsg
struct breadly_curl_message {
    int kind;
    void *easy;
    union {
        void *pointer;
        int result;
    } data;
};

/// The functions.
struct breadly_curl {
    int (*global_init)(long);
    const char *(*version)(void);
    const char *(*strerror)(int);
    struct breadly_curl_list *(*append)(struct breadly_curl_list *, const char *);
    void (*free_all)(struct breadly_curl_list *);
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    void (*easy_cleanup)(void *);
    void *(*multi_init)(void);
    int (*multi_add)(void *, void *);
    int (*multi_remove)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned, int, int *);
    int (*multi_wakeup)(void *);
    struct breadly_curl_message *(*multi_info_read)(void *, int *);
    int (*multi_cleanup)(void *);
};

/// Takes bytes that came; fewer than were given end the request.
typedef size_t (*breadly_curl_writer)(char *bytes, size_t size, size_t count, void *context);

/// Finds a library and prepares it. Once, before any other call.
/// Returns 0 where it is ready, 1 where there is none of that name, 2 where it lacks a function, 3 where it fails.
static inline int breadly_curl_load(struct breadly_curl *curl, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 1;
    const struct {
        void *place;
        const char *name;
    } functions[] = {
        {&curl->version, "curl_version"},
        {&curl->global_init, "curl_global_init"},
        {&curl->strerror, "curl_easy_strerror"},
        {&curl->append, "curl_slist_append"},
        {&curl->free_all, "curl_slist_free_all"},
        {&curl->easy_init, "curl_easy_init"},
        {&curl->easy_setopt, "curl_easy_setopt"},
        {&curl->easy_getinfo, "curl_easy_getinfo"},
        {&curl->easy_cleanup, "curl_easy_cleanup"},
        {&curl->multi_init, "curl_multi_init"},
        {&curl->multi_add, "curl_multi_add_handle"},
        {&curl->multi_remove, "curl_multi_remove_handle"},
        {&curl->multi_perform, "curl_multi_perform"},
        {&curl->multi_poll, "curl_multi_poll"},
        {&curl->multi_wakeup, "curl_multi_wakeup"},
        {&curl->multi_info_read, "curl_multi_info_read"},
        {&curl->multi_cleanup, "curl_multi_cleanup"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) return 2;
        *(void **)functions[i].place = function;
    }
    // CURL_GLOBAL_DEFAULT
    return curl->global_init(3) == 0 ? 0 : 3;
}

/// Names the thread that calls it, as `ps -L` shows it; 15 bytes at most.
static inline void breadly_curl_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

/// CURLOPT_URL, CURLOPT_CUSTOMREQUEST, CURLOPT_HTTPHEADER. The list must live as long as the request; the texts are
/// copied. CURLOPT_ACCEPT_ENCODING: what comes as gzip reaches the writer inflated, piece by piece.
/// Returns 0, or CURLcode.
static inline int breadly_curl_set_request(
    const struct breadly_curl *curl, void *easy, const char *url, const char *method, struct breadly_curl_list *lines) {
    int result = curl->easy_setopt(easy, 10002, url);
    if (!result) result = curl->easy_setopt(easy, 10036, method);
    if (!result) result = curl->easy_setopt(easy, 10023, lines);
    if (!result) result = curl->easy_setopt(easy, 10102, "gzip");
    return result;
}

/// CURLOPT_POSTFIELDSIZE, CURLOPT_COPYPOSTFIELDS: copied before it returns.
/// Returns 0, or CURLcode.
static inline int breadly_curl_set_body(const struct breadly_curl *curl, void *easy, const void *bytes, long count) {
    int result = curl->easy_setopt(easy, 60, count);
    return result ? result : curl->easy_setopt(easy, 10165, bytes);
}

/// CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA
static inline void breadly_curl_set_writer(
    const struct breadly_curl *curl, void *easy, breadly_curl_writer writer, void *context) {
    curl->easy_setopt(easy, 20011, writer);
    curl->easy_setopt(easy, 10001, context);
}

/// CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA: called with each line of the head of a response, with its end.
static inline void breadly_curl_set_head_reader(
    const struct breadly_curl *curl, void *easy, breadly_curl_writer reader, void *context) {
    curl->easy_setopt(easy, 20079, reader);
    curl->easy_setopt(easy, 10029, context);
}

/// struct curl_sockaddr, up to what is read of it.
struct breadly_curl_address {
    int family;
    int kind;
    int protocol;
};

/// Opens a socket. Why that fails is written to `context`, an int: libcurl itself forgets it.
static inline int breadly_curl_open(void *context, int purpose, struct breadly_curl_address *address) {
    (void)purpose;
    int descriptor = socket(address->family, address->kind | SOCK_CLOEXEC, address->protocol);
    if (descriptor < 0) {
        *(int *)context = errno;
        return -1;
    }
    // The kernel holds back little that it has not sent: what libcurl counts as sent has left, or soon will. Without
    // this a megabyte on its way over a slow line looks like a line that stands still.
    int most = 32 << 10;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof most);
    return descriptor;
}

/// What each request shares: CURLOPT_NOSIGNAL since there are threads. CURLOPT_PROTOCOLS: HTTP and HTTPS and nothing
/// else. CURLOPT_CONNECTTIMEOUT_MS. CURLOPT_MAXAGE_CONN, CURLOPT_TCP_KEEPALIVE, CURLOPT_TCP_KEEPIDLE,
/// CURLOPT_TCP_KEEPINTVL for kept connections; CURLOPT_FRESH_CONNECT against one. CURLOPT_OPENSOCKETFUNCTION,
/// CURLOPT_OPENSOCKETDATA. Redirects are not followed unless one asks for it.
static inline void breadly_curl_set_connection(
    const struct breadly_curl *curl, void *easy, long connectMilliseconds, long keptSeconds, long youngerThan, int *fault) {
    curl->easy_setopt(easy, 99, 1L);
    curl->easy_setopt(easy, 181, 3L);
    curl->easy_setopt(easy, 156, connectMilliseconds);
    curl->easy_setopt(easy, 288, keptSeconds);
    curl->easy_setopt(easy, 213, 1L);
    curl->easy_setopt(easy, 214, 20L);
    curl->easy_setopt(easy, 215, 5L);
    // A libcurl without CURLOPT_MAXLIFETIME_CONN (before 7.80) opens another one in any case.
    if (youngerThan >= 0)
        curl->easy_setopt(easy, 74, youngerThan == 0 || curl->easy_setopt(easy, 314, youngerThan) != 0 ? 1L : 0L);
    curl->easy_setopt(easy, 20163, breadly_curl_open);
    curl->easy_setopt(easy, 10164, fault);
}

/// CURLINFO_RESPONSE_CODE
static inline long breadly_curl_status(const struct breadly_curl *curl, void *easy) {
    long status = 0;
    curl->easy_getinfo(easy, 0x200002, &status);
    return status;
}

/// CURLINFO_RETRY_AFTER: the seconds that the response asks to wait; 0 where it does not.
static inline long long breadly_curl_retry_after(const struct breadly_curl *curl, void *easy) {
    long long seconds = 0;
    curl->easy_getinfo(easy, 0x600000 + 57, &seconds);
    return seconds;
}

/// CURLINFO_PRETRANSFER_TIME_T: whether the request has a connection, and has begun to go out.
static inline int breadly_curl_is_connected(const struct breadly_curl *curl, void *easy) {
    long long microseconds = 0;
    curl->easy_getinfo(easy, 0x600000 + 53, &microseconds);
    return microseconds > 0;
}

/// CURLINFO_SIZE_UPLOAD_T, CURLINFO_SIZE_DOWNLOAD_T, CURLINFO_HEADER_SIZE, CURLINFO_REQUEST_SIZE: the bytes that have
/// moved in either direction.
static inline long long breadly_curl_moved(const struct breadly_curl *curl, void *easy) {
    long long up = 0, down = 0;
    long head = 0, request = 0;
    curl->easy_getinfo(easy, 0x600000 + 7, &up);
    curl->easy_getinfo(easy, 0x600000 + 8, &down);
    curl->easy_getinfo(easy, 0x200000 + 11, &head);
    curl->easy_getinfo(easy, 0x200000 + 12, &request);
    return up + down + head + request;
}
