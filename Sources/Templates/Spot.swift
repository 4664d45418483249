// Where the value of a level of the context lies while it is shown.
//
// It is a raw pointer, because what is shown would otherwise be copied or counted once for each place of the page
// that reads it, and that took most of the time of a page. Why it is safe:
//
// - a spot is made only by the two functions below, for a value that they hold until `body` returns, and no body
//   keeps one: `Program` puts spots in memory of its own call, which ends before the spot does;
// - it is read only as the type that it was made of: a program asks a level only for the type that its template was
//   bound with at that level, and puts exactly that type there;
// - nobody writes through it, and the values are constants.

/// The place of a value, for as long as it is shown.
@usableFromInline
struct Spot {
    @usableFromInline let address: UnsafeRawPointer

    @inlinable
    init(_ address: UnsafeRawPointer) { self.address = address }

    /// Lends out the place of one value.
    @inlinable
    static func lend<Value>(_ value: Value, _ body: (Spot) -> Void) {
        withUnsafePointer(to: value) { body(Spot($0)) }
    }

    /// Lends out the place of each value in turn.
    @inlinable
    static func lend<Value>(eachOf values: [Value], _ body: (Spot) -> Void) {
        values.withUnsafeBufferPointer { values in
            guard var next = values.baseAddress else { return }
            for _ in 0..<values.count {
                body(Spot(next))
                next += 1
            }
        }
    }

    /// The value as it lies there. Whoever takes one property of it copies only that.
    @inlinable
    @inline(__always)
    func pointer<Value>(to _: Value.Type) -> UnsafePointer<Value> {
        address.assumingMemoryBound(to: Value.self)
    }
}
