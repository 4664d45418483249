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
        if step.count > 0 { out.append(UnsafeBufferPointer(rebasing: pool[step.start..<step.start + step.count])) }
        switch step.work {
        case .nothing: break
        case .write(let write): read(step) { write($0, out) }
        case .each(let visit, let end):
            read(step) { spot in
                visit(spot) { value in
                    spots[level + 1] = value
                    steps(from: position + 1, to: end, level: level + 1)
                }
            }
            return end
        case .when(let test, let expected, let end):
            var holds = false
            read(step) { holds = test($0) }
            if holds != expected { return end }
        }
        return position + 1
    }

    /// Finds what a step reads.
    @inline(__always)
    private func read(_ step: Step, _ body: (Spot) -> Void) {
        switch step.origin {
        case .level(let level): if let spot = spots[level] { body(spot) }
        case .shared(let number): if let spot = spots[program.levels + number] { body(spot) }
        case .reach(let level, let path): Self.walk(path[...], spots[level], body)
        }
    }

    private static func walk(_ path: ArraySlice<Visit>, _ spot: Spot?, _ body: (Spot) -> Void) {
        guard let spot else { return }
        guard let first = path.first else { return body(spot) }
        first(spot) { walk(path.dropFirst(), $0, body) }
    }
}
