// A page's template as flat steps, bound to the page's type.

/// One step of a program: bytes that are printed as they are, and then something that is read from the context.
///
/// A constant object, so that running it copies nothing.
final class Step: Sendable {
    /// What a step does.
    enum Work: Sendable {
        /// Nothing more than print its bytes.
        case nothing
        /// Print a value.
        case write(Writer)
        /// Go through the values of a section; its body ends before `end`.
        case each(Visit, end: Int)
        /// Show a section's body, or not.
        case when(Test, expected: Bool, end: Int)
    }

    /// Where a value is read from.
    enum Origin: Sendable {
        /// From a level of the context; depths count from the page outwards in.
        case level(Int)
        /// From a model of the page's, which is made once for the whole page.
        case shared(Int)
        /// From a model that is reached through others of a level.
        case reach(Int, [Visit])
    }

    /// Where its bytes are in the pool.
    let start: Int
    /// How many bytes are its.
    let count: Int
    let origin: Origin
    let work: Work

    init(start: Int = 0, count: Int = 0, _ origin: Origin = .level(0), _ work: Work = .nothing) {
        self.start = start
        self.count = count
        self.origin = origin
        self.work = work
    }

    fileprivate var isBytesOnly: Bool {
        if case .nothing = work { true } else { false }
    }
}

/// A template bound to the page type that it shows.
public struct PageTemplate<Model: TemplateModel>: Sendable {
    let program: Program

    /// Prints the page.
    public func render(_ model: Model, into out: ByteBuffer) { program.run(on: Cell(model), out) }
}

struct Program: Sendable {
    /// The values that are being shown.
    private struct Context {
        var levels: ContiguousArray<AnyObject>
        /// What `Program.shared` gave; nil for what was not asked for yet.
        var shared: ContiguousArray<[AnyObject]?>
    }

    var steps: ContiguousArray<Step> = []
    private var pool: [UInt8] = []
    private var shared: [(name: String, path: [Visit])] = []

    /// How a model is reached that belongs to the page itself.
    mutating func origin(ofShared name: String, _ path: [Visit]) -> Step.Origin {
        if let known = shared.firstIndex(where: { $0.name == name }) { return .shared(known) }
        shared.append((name, path))
        return .shared(shared.count - 1)
    }

    mutating func add(literal bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if let last = steps.last, last.isBytesOnly, last.count == 0 || last.start + last.count == pool.count {
            let start = last.count == 0 ? pool.count : last.start
            steps[steps.count - 1] = Step(start: start, count: last.count + bytes.count)
        } else {
            steps.append(Step(start: pool.count, count: bytes.count))
        }
        pool += bytes
    }

    /// Adds a step; one that only prints bytes takes it in.
    /// - Returns: where it is.
    @discardableResult
    mutating func add(_ origin: Step.Origin, _ work: Step.Work) -> Int {
        if let last = steps.last, last.isBytesOnly {
            steps[steps.count - 1] = Step(start: last.start, count: last.count, origin, work)
        } else {
            steps.append(Step(origin, work))
        }
        return steps.count - 1
    }

    /// Gives a section the end of its body, and begins a step that can be jumped to.
    mutating func close(_ position: Int, _ work: (_ end: Int) -> Step.Work) {
        let opening = steps[position]
        steps[position] = Step(start: opening.start, count: opening.count, opening.origin, work(steps.count))
        steps.append(Step())
    }

    /// Runs from the page's value.
    func run(on page: AnyObject, _ out: ByteBuffer) {
        var context = Context(levels: [page], shared: ContiguousArray(repeating: nil, count: shared.count))
        context.levels.reserveCapacity(8)
        run(0, steps.count, &context, out)
    }

    private func run(_ begin: Int, _ end: Int, _ context: inout Context, _ out: ByteBuffer) {
        var position = begin
        while position < end {
            let step = steps[position]
            if step.count > 0 { out.append(pool, from: step.start, count: step.count) }
            switch step.work {
            case .nothing: break
            case .write(let write): read(step, &context) { cell, _ in write(cell, out) }
            case .each(let visit, let after):
                let body = position + 1
                read(step, &context) { cell, context in
                    visit(cell) { value in
                        context.levels.append(value)
                        run(body, after, &context, out)
                        context.levels.removeLast()
                    }
                }
                position = after
                continue
            case .when(let test, let expected, let after):
                var holds = false
                read(step, &context) { cell, _ in holds = test(cell) }
                guard holds == expected else {
                    position = after
                    continue
                }
            }
            position += 1
        }
    }

    /// Finds what a step reads.
    @inline(__always)
    private func read(_ step: Step, _ context: inout Context, _ body: (AnyObject, inout Context) -> Void) {
        switch step.origin {
        case .level(let depth): body(context.levels[depth], &context)
        case .shared(let number):
            if context.shared[number] == nil {
                var found: [AnyObject] = []
                Self.walk(shared[number].path[...], context.levels[0]) { found.append($0) }
                context.shared[number] = found
            }
            for cell in context.shared[number] ?? [] { body(cell, &context) }
        case .reach(let depth, let path):
            Self.walk(path[...], context.levels[depth]) { body($0, &context) }
        }
    }

    private static func walk(_ path: ArraySlice<Visit>, _ cell: AnyObject, _ body: (AnyObject) -> Void) {
        guard let first = path.first else { return body(cell) }
        first(cell) { walk(path.dropFirst(), $0, body) }
    }
}
