// Renders a page: runs the steps of its program in order.
//
// The code works on pointers into the program and into memory of its own call, so that a step counts no
// references. Safety: the program is a constant that outlives the call, and so do its steps; `values` holds
// one element for each level that the binder counted and for each shared model; the pointers in it are lent
// (see `ValuePointer`) by calls that return after the steps that read them.

extension Program {
    /// Renders the page whose value the pointer refers to.
    func run(on page: ValuePointer, _ out: ByteBuffer) {
        withUnsafeTemporaryAllocation(of: ValuePointer?.self, capacity: levels + shared.count) { values in
            values.initialize(repeating: nil)
            values[0] = page
            pool.withUnsafeBufferPointer { pool in
                let run = Run(program: self, pool: pool, values: values, out: out)
                run.share(0) { run.steps(from: 0, to: steps.count, level: 0) }
            }
        }
    }
}

private struct Run {
    let program: Program
    let pool: UnsafeBufferPointer<UInt8>
    /// The values of the levels, from the page inwards, followed by the shared models.
    let values: UnsafeMutableBufferPointer<ValuePointer?>
    let out: ByteBuffer

    /// Evaluates the models that the steps share, then runs `body`.
    func share(_ number: Int, _ body: () -> Void) {
        guard number < program.shared.count else { return body() }
        var isThere = false
        Self.walk(program.shared[number].path[...], values[0]) { value in
            isThere = true
            values[program.levels + number] = value
            share(number + 1, body)
        }
        guard !isThere else { return }
        values[program.levels + number] = nil
        share(number + 1, body)
    }

    /// - Parameter level: the innermost level of the context.
    func steps(from begin: Int, to end: Int, level: Int) {
        var position = begin
        while position < end {
            position = program.flow[position]._withUnsafeGuaranteedRef { perform($0, position, level) }
        }
    }

    /// - Returns: the position of the next step.
    @inline(__always)
    private func perform(_ step: Step, _ position: Int, _ level: Int) -> Int {
        if step.count > 0 {
            out.append(UnsafeBufferPointer(rebasing: pool[step.start..<step.start + step.count]))
        }
        switch step.kind {
        case .nothing: break
        case .write: read(step) { step.write($0, out) }
        case .each:
            read(step) { value in
                step.enumerate(value) { value in
                    values[level + 1] = value
                    steps(from: position + 1, to: step.end, level: level + 1)
                }
            }
            return step.end
        case .when:
            var holds = false
            read(step) { holds = step.test($0) }
            if holds != step.expected { return step.end }
        }
        return position + 1
    }

    /// Calls a closure with the value that a step reads.
    @inline(__always)
    private func read(_ step: Step, _ body: (ValuePointer) -> Void) {
        guard let value = values[step.level ?? program.levels + step.number] else { return }
        if step.path.isEmpty { body(value) } else { Self.walk(step.path[...], value, body) }
    }

    private static func walk(
        _ path: ArraySlice<Enumerator>,
        _ value: ValuePointer?,
        _ body: (ValuePointer) -> Void
    ) {
        guard let value else { return }
        guard let first = path.first else { return body(value) }
        first(value) { walk(path.dropFirst(), $0, body) }
    }
}
