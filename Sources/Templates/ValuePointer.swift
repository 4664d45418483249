// A raw pointer to a value of the context while it is rendered.
//
// Without it, values would be copied or their references counted at each place of the page that reads them, which took
// most of the time of a page. Safety:
//
// - a pointer is made only by the two functions below, for a value that they hold until `body` returns, and no body
//   stores one for longer: `Run` puts pointers into memory of its own call, which ends earlier;
// - it is read only as the type that it was made of: a program reads a level only as the type that its template was
//   bound to at that level, and stores exactly that type there;
// - the values are constants, and no code writes through the pointer.

/// A pointer to a value, valid while the value is rendered.
@usableFromInline
struct ValuePointer {
    @usableFromInline let address: UnsafeRawPointer

    @inlinable
    init(_ address: UnsafeRawPointer) { self.address = address }

    /// Calls a closure with a pointer to one value.
    @inlinable
    static func lend<Value>(_ value: Value, _ body: (ValuePointer) -> Void) {
        withUnsafePointer(to: value) { body(ValuePointer($0)) }
    }

    /// Calls a closure with a pointer to each value in turn.
    @inlinable
    static func lend<Value>(eachOf values: [Value], _ body: (ValuePointer) -> Void) {
        values.withUnsafeBufferPointer { values in
            guard var next = values.baseAddress else { return }
            for _ in 0..<values.count {
                body(ValuePointer(next))
                next += 1
            }
        }
    }

    /// The typed pointer. Code that reads one property through it copies that property only.
    @inlinable
    @inline(__always)
    func pointer<Value>(to _: Value.Type) -> UnsafePointer<Value> {
        address.assumingMemoryBound(to: Value.self)
    }
}
