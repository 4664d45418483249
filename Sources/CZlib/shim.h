// What of zlib is a macro, as plain functions under our prefix: Swift can call only those.
#pragma once
#include <zlib.h>

/// How many bytes gzip needs at most for so many.
static inline unsigned long breadly_gzip_bound(unsigned long size) { return compressBound(size) + 32; }

/// Compresses in one go to the format of RFC 1952.
/// Returns the number of bytes written, or 0 where it failed.
static inline unsigned long breadly_gzip(
    const unsigned char *source, unsigned long size, unsigned char *target, unsigned long capacity, int level) {
    z_stream stream = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (unsigned char *)source;
    stream.avail_in = (unsigned int)size;
    stream.next_out = target;
    stream.avail_out = (unsigned int)capacity;
    int result = deflate(&stream, Z_FINISH);
    unsigned long written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? written : 0;
}

/// Inflates in one go up to a capacity: with 15 + 16 window bits from the format of RFC 1952, with -15 from that of
/// RFC 1951. Sets `whole` to 1 where the source ended well.
/// Returns the number of bytes written.
static inline unsigned long breadly_inflate(
    int window_bits, const unsigned char *source, unsigned long size, unsigned char *target, unsigned long capacity,
    int *whole) {
    z_stream stream = {0};
    *whole = 0;
    if (inflateInit2(&stream, window_bits) != Z_OK) return 0;
    stream.next_in = (unsigned char *)source;
    stream.avail_in = (unsigned int)size;
    stream.next_out = target;
    stream.avail_out = (unsigned int)capacity;
    int result = inflate(&stream, Z_FINISH);
    unsigned long written = stream.total_out;
    *whole = result == Z_STREAM_END && stream.avail_in == 0;
    inflateEnd(&stream);
    return written;
}

/// The CRC-32 of some bytes that follow others, as gzip and zip store it; that of no bytes is 0.
static inline unsigned int breadly_crc32(unsigned int before, const unsigned char *source, unsigned long size) {
    return (unsigned int)crc32(before, source, (unsigned int)size);
}

/// Begins to compress a stream to the format of RFC 1952. Returns 1 where it can.
static inline int breadly_gzip_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK;
}

/// Begins to inflate a stream from the format of RFC 1952. Returns 1 where it can.
static inline int breadly_gunzip_begin(z_stream *stream) { return inflateInit2(stream, 15 + 16) == Z_OK; }
