// Printing a page: the steps of its program, one after another.
//
// It works on pointers into the program and into memory of its own call, so that a step costs what it does and no
// counting of references. Why it is safe: the program is a constant and outlives the call, and with it its steps; `spots` holds one element
// for each level that the binder counted and for each shared model; the spots in it are lent out (see `Spot`) by calls
// that return after the steps that read them.

extension Program {
    /// Prints the page whose value lies there.
    func run(on page: Spot, _ out: ByteBuffer) {
        withUnsafeTemporaryAllocation(of: Spot?.self, capacity: levels + shared.count) { spots in
            spots.initialize(repeating: nil)
            spots[0] = page
            pool.withUnsafeBufferPointer { pool in
                let run = Run(program: self, pool: pool, spots: spots, out: out)
                run.share(0) { run.steps(from: 0, to: steps.count, level: 0) }
            }
        }
    }
}

private struct Run {
    let program: Program
    let pool: UnsafeBufferPointer<UInt8>
    /// The values of the levels, from the page outwards in, and after them the shared models.
    let spots: UnsafeMutableBufferPointer<Spot?>
    let out: ByteBuffer

    /// Reaches the models that the page's steps share, then runs `body`.
    func share(_ number: Int, _ body: () -> Void) {
        guard number < program.shared.count else { return body() }
        var isThere = false
        Self.walk(program.shared[number].path[...], spots[0]) { spot in
            isThere = true
            spots[program.levels + number] = spot
            share(number + 1, body)
        }
        guard !isThere else { return }
        spots[program.levels + number] = nil
        share(number + 1, body)
    }

    /// - Parameter level: the innermost one that is shown.
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
            read(step) { spot in
                step.visit(spot) { value in
                    spots[level + 1] = value
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

    /// Finds what a step reads.
    @inline(__always)
    private func read(_ step: Step, _ body: (Spot) -> Void) {
        guard let spot = spots[step.level ?? program.levels + step.number] else { return }
        if step.path.isEmpty { body(spot) } else { Self.walk(step.path[...], spot, body) }
    }

    private static func walk(_ path: ArraySlice<Visit>, _ spot: Spot?, _ body: (Spot) -> Void) {
        guard let spot else { return }
        guard let first = path.first else { return body(spot) }
        first(spot) { walk(path.dropFirst(), $0, body) }
    }
}
