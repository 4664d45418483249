// The calls of PCRE2, which are macros that add the width of a code unit, as plain functions under our prefix. Compiled
// patterns are `void *`, because their type is a macro too.
#pragma once
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/// Compiles a pattern of UTF-8, without regard to case. It is compiled for the interpreter: the just-in-time compiler
/// needs memory that is writable and executable, and observes no limit of depth or heap.
/// Returns the pattern, or NULL; then `code` is the number of the error, and `offset` its place in bytes.
static inline void *breadly_pcre_compile(const unsigned char *pattern, size_t length, int *code, size_t *offset) {
    return pcre2_compile(
        pattern, length, PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C, code, offset, NULL);
}

/// Frees a compiled pattern.
static inline void breadly_pcre_free(void *pattern) { pcre2_code_free((pcre2_code *)pattern); }

/// Writes the message of an error, of ASCII and ended by a null.
static inline void breadly_pcre_message(int code, unsigned char *buffer, size_t capacity) {
    if (capacity > 0) buffer[0] = 0;
    pcre2_get_error_message(code, buffer, capacity);
}

/// Makes limits of the work of a match: calls of the matching function, depth of backtracking, kibibytes of heap.
/// Returns NULL without memory.
static inline void *breadly_pcre_limits(unsigned int calls, unsigned int depth, unsigned int heap) {
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    if (!context) return NULL;
    pcre2_set_match_limit(context, calls);
    pcre2_set_depth_limit(context, depth);
    pcre2_set_heap_limit(context, heap);
    return context;
}

/// Frees limits.
static inline void breadly_pcre_free_limits(void *limits) { pcre2_match_context_free((pcre2_match_context *)limits); }

/// Looks for a pattern in a text, which must be valid UTF-8. Patterns and limits are only read.
/// Returns 1 if it is found, 0 if it is not, -1 at a limit or without memory.
static inline int breadly_pcre_match(const void *pattern, const unsigned char *text, size_t length, void *limits) {
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    if (!data) return -1;
    int result = pcre2_match(
        (const pcre2_code *)pattern, text, length, 0, PCRE2_NO_UTF_CHECK, data, (pcre2_match_context *)limits);
    pcre2_match_data_free(data);
    return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : -1;
}
