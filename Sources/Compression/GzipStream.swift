// Gzip (RFC 1952) with zlib, in pieces: a file of any size in some hundred kilobytes of memory.

import CZlib

/// Compresses the bytes that are written to it, and passes them to a closure.
public final class GzipWriter {
    // zlib stores the address of its state, which must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let sink: ([UInt8]) throws -> Void
    private let isUsable: Bool

    /// - Parameters:
    ///   - level: 1 for speed, 9 for size.
    ///   - sink: consumes the compressed bytes.
    public init(level: Int32 = 6, _ sink: @escaping ([UInt8]) throws -> Void) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        self.sink = sink
        isUsable = breadly_gzip_begin(stream, level) == 1
    }

    deinit {
        if isUsable { deflateEnd(stream) }
        stream.deallocate()
    }

    /// Compresses bytes.
    /// - Throws: the errors of the sink; `Gzip.Failure.malformed` if zlib had no memory.
    public func write(_ bytes: [UInt8]) throws { try deflate(bytes, Z_NO_FLUSH) }

    /// Ends the stream. No further bytes may be written.
    public func end() throws { try deflate([], Z_FINISH) }

    private func deflate(_ bytes: [UInt8], _ flush: Int32) throws {
        guard isUsable else { throw Gzip.Failure.malformed }
        var (offset, isDone) = (0, false)
        while !isDone {
            var (result, left): (Int32, UInt32) = (Z_OK, 0)
            // Both buffers are valid during the call; zlib stays within the given counts.
            let piece = bytes.withUnsafeBufferPointer { source in
                [UInt8](unsafeUninitializedCapacity: Gzip.pieceBytes) { target, count in
                    stream.pointee.next_in = source.baseAddress.map {
                        UnsafeMutablePointer(mutating: $0 + offset)
                    }
                    stream.pointee.avail_in = UInt32(clamping: source.count - offset)
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(Gzip.pieceBytes)
                    result = CZlib.deflate(stream, flush)
                    left = stream.pointee.avail_in
                    count = Gzip.pieceBytes - Int(stream.pointee.avail_out)
                }
            }
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                throw Gzip.Failure.malformed
            }
            offset = bytes.count - Int(left)
            if !piece.isEmpty { try sink(piece) }
            isDone = flush == Z_FINISH ? result == Z_STREAM_END : left == 0 && piece.count < Gzip.pieceBytes
        }
    }
}

/// Decompresses the bytes of a source on demand.
public final class GzipReader {
    // zlib stores the address of its state, which must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let source: () throws -> [UInt8]
    private let isUsable: Bool
    private var input: [UInt8] = []
    private var offset = 0
    private var isAtEnd = false

    /// - Parameter source: returns the next compressed bytes; empty at the end.
    public init(_ source: @escaping () throws -> [UInt8]) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        self.source = source
        isUsable = breadly_gunzip_begin(stream) == 1
    }

    deinit {
        if isUsable { inflateEnd(stream) }
        stream.deallocate()
    }

    /// The next decompressed bytes, up to a number; empty at the end.
    /// - Throws: the errors of the source; `Gzip.Failure.malformed` if the bytes are not gzip, are
    ///   incomplete, or continue after the end of the stream.
    public func read(upTo most: Int) throws -> [UInt8] {
        guard isUsable, most > 0 else { throw Gzip.Failure.malformed }
        while true {
            if offset == input.count {
                input = try source()
                offset = 0
                if input.isEmpty {
                    guard isAtEnd else { throw Gzip.Failure.malformed }
                    return []
                }
            }
            guard !isAtEnd else { throw Gzip.Failure.malformed }
            var (result, left): (Int32, UInt32) = (Z_OK, 0)
            // Both buffers are valid during the call; zlib stays within the given counts.
            let piece = input.withUnsafeBufferPointer { source in
                [UInt8](unsafeUninitializedCapacity: most) { target, count in
                    stream.pointee.next_in = source.baseAddress.map {
                        UnsafeMutablePointer(mutating: $0 + offset)
                    }
                    stream.pointee.avail_in = UInt32(clamping: source.count - offset)
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(clamping: most)
                    result = inflate(stream, Z_NO_FLUSH)
                    left = stream.pointee.avail_in
                    count = most - Int(stream.pointee.avail_out)
                }
            }
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                throw Gzip.Failure.malformed
            }
            offset = input.count - Int(left)
            if result == Z_STREAM_END { isAtEnd = true }
            if !piece.isEmpty { return piece }
        }
    }
}

extension Gzip {
    /// The size of the pieces, in bytes.
    static let pieceBytes = 1 << 17
    /// The first bytes of every gzip stream.
    public static let magic: [UInt8] = [0x1F, 0x8B]
}
