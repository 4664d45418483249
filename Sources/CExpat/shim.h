// The calls of Expat whose types differ between its builds, and its error codes, as plain functions under our prefix.
#pragma once
#include <expat.h>

/// Parses a whole document. Returns 1 if it is well-formed, 0 if it is not or a handler stopped the parser.
static inline int breadly_xml_parse(XML_Parser parser, const void *bytes, int count) {
    return XML_Parse(parser, (const char *)bytes, count, 1) == XML_STATUS_OK;
}

/// The line of the current event or of the error, from 1.
static inline long long breadly_xml_line(XML_Parser parser) { return (long long)XML_GetCurrentLineNumber(parser); }

/// Whether the document ended too early.
static inline int breadly_xml_is_truncated(XML_Parser parser) {
    switch (XML_GetErrorCode(parser)) {
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_PARTIAL_CHAR:
    case XML_ERROR_UNCLOSED_CDATA_SECTION: return 1;
    default: return 0;
    }
}

/// Whether the document has another encoding than it declares, or one that Expat does not have.
static inline int breadly_xml_is_misencoded(XML_Parser parser) {
    enum XML_Error error = XML_GetErrorCode(parser);
    return error == XML_ERROR_UNKNOWN_ENCODING || error == XML_ERROR_INCORRECT_ENCODING;
}

/// Whether there was no memory for the document.
static inline int breadly_xml_is_out_of_memory(XML_Parser parser) {
    return XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY;
}
