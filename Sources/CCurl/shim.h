// libcurl's easy interface, found when it is first needed: most servers send no request, and linked it would cost
// each of them some 7 MB and 25 ms at the start for the libraries that it brings. Its binary interface has been the
// same since 2006 (so.4); the numbers below are part of it (curl.h).
#pragma once
#include <dlfcn.h>
#include <stddef.h>

struct breadly_curl_list;

/// The functions, and what a request is.
struct breadly_curl {
    int (*global_init)(long);
    void *(*init)(void);
    int (*setopt)(void *, int, ...);
    int (*perform)(void *);
    int (*getinfo)(void *, int, ...);
    void (*cleanup)(void *);
    const char *(*strerror)(int);
    struct breadly_curl_list *(*append)(struct breadly_curl_list *, const char *);
    void (*free_all)(struct breadly_curl_list *);
};

/// Takes bytes that came; fewer than were given end the request.
typedef size_t (*breadly_curl_writer)(char *bytes, size_t size, size_t count, void *context);

/// Asked about once a second, and whenever bytes move; anything but 0 ends the request.
typedef int (*breadly_curl_asker)(void *context, long long, long long, long long, long long);

/// Finds the library and prepares it. Once, before any other call.
/// Returns 0 where it is not there.
static inline int breadly_curl_load(struct breadly_curl *curl) {
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *library = NULL;
    for (size_t i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    *(void **)&curl->global_init = dlsym(library, "curl_global_init");
    *(void **)&curl->init = dlsym(library, "curl_easy_init");
    *(void **)&curl->setopt = dlsym(library, "curl_easy_setopt");
    *(void **)&curl->perform = dlsym(library, "curl_easy_perform");
    *(void **)&curl->getinfo = dlsym(library, "curl_easy_getinfo");
    *(void **)&curl->cleanup = dlsym(library, "curl_easy_cleanup");
    *(void **)&curl->strerror = dlsym(library, "curl_easy_strerror");
    *(void **)&curl->append = dlsym(library, "curl_slist_append");
    *(void **)&curl->free_all = dlsym(library, "curl_slist_free_all");
    if (!curl->global_init || !curl->init || !curl->setopt || !curl->perform || !curl->getinfo || !curl->cleanup
        || !curl->strerror || !curl->append || !curl->free_all)
        return 0;
    // CURL_GLOBAL_DEFAULT
    return curl->global_init(3) == 0;
}

/// CURLOPT_URL
static inline void breadly_curl_set_url(const struct breadly_curl *curl, void *request, const char *text) {
    curl->setopt(request, 10002, text);
}

/// CURLOPT_CUSTOMREQUEST
static inline void breadly_curl_set_method(const struct breadly_curl *curl, void *request, const char *text) {
    curl->setopt(request, 10036, text);
}

/// CURLOPT_HTTPHEADER
static inline void breadly_curl_set_headers(
    const struct breadly_curl *curl, void *request, struct breadly_curl_list *list) {
    curl->setopt(request, 10023, list);
}

/// CURLOPT_POSTFIELDSIZE, CURLOPT_COPYPOSTFIELDS: copied before it returns.
static inline void breadly_curl_set_body(
    const struct breadly_curl *curl, void *request, const void *bytes, long count) {
    curl->setopt(request, 60, count);
    curl->setopt(request, 10165, bytes);
}

/// CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA
static inline void breadly_curl_set_writer(
    const struct breadly_curl *curl, void *request, breadly_curl_writer writer, void *context) {
    curl->setopt(request, 20011, writer);
    curl->setopt(request, 10001, context);
}

/// CURLOPT_NOPROGRESS, CURLOPT_XFERINFOFUNCTION, CURLOPT_XFERINFODATA
static inline void breadly_curl_set_asker(
    const struct breadly_curl *curl, void *request, breadly_curl_asker asker, void *context) {
    curl->setopt(request, 43, 0L);
    curl->setopt(request, 20219, asker);
    curl->setopt(request, 10057, context);
}

/// CURLOPT_TIMEOUT_MS for the whole, CURLOPT_NOSIGNAL since there are threads, CURLOPT_PROTOCOLS: HTTP and HTTPS and
/// nothing else. Redirects are not followed unless one asks for it.
static inline void breadly_curl_set_limits(const struct breadly_curl *curl, void *request, long milliseconds) {
    curl->setopt(request, 155, milliseconds);
    curl->setopt(request, 99, 1L);
    curl->setopt(request, 181, 3L);
}

/// CURLOPT_ACCEPT_ENCODING: what comes as gzip reaches the writer inflated, piece by piece.
static inline void breadly_curl_set_encoding(const struct breadly_curl *curl, void *request, const char *text) {
    curl->setopt(request, 10102, text);
}

/// CURLINFO_RESPONSE_CODE
static inline long breadly_curl_status(const struct breadly_curl *curl, void *request) {
    long status = 0;
    curl->getinfo(request, 0x200002, &status);
    return status;
}
