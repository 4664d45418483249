// A template as a flat list of steps, bound to the type of its page.

/// One step of a program: prints literal bytes and then, for most steps, reads a value of the context.
///
/// A constant object with a property for each possible parameter, and not an enumeration: running it then
/// copies nothing and counts no references.
final class Step: Sendable {
    /// The work of a step after its literal bytes.
    enum Work: Sendable {
        /// No further work.
        case nothing
        /// Print a value.
        case write(Writer)
        /// Enumerate the values of a section; its body ends before `end`.
        case each(Enumerator, end: Int)
        /// Render the body of a section if the test has the expected result.
        case when(Test, expected: Bool, end: Int)
    }

    /// The place that a value is read from.
    enum Origin: Sendable {
        /// A level of the context, counted from the page inwards.
        case level(Int)
        /// A model of the page that is evaluated once for the whole page.
        case shared(Int)
        /// A model that is reached from a level through other models.
        case reach(Int, [Enumerator])
    }

    enum Kind: Sendable {
        case nothing, write, each, when
    }

    /// The position of the literal bytes in the pool.
    let start: Int
    /// The number of literal bytes.
    let count: Int
    let origin: Origin
    /// The kind of work, without its parameters.
    let kind: Kind
    /// The level that the value is read from; nil for a shared model.
    let level: Int?
    /// The number of the shared model that the value is read from.
    let number: Int
    /// The models between the origin and the value; empty if the origin is the value.
    let path: [Enumerator]
    let write: Writer
    let enumerate: Enumerator
    let test: Test
    let expected: Bool
    let end: Int

    init(start: Int = 0, count: Int = 0, _ origin: Origin = .level(0), _ work: Work = .nothing) {
        self.start = start
        self.count = count
        self.origin = origin
        (level, number, path) =
            switch origin {
            case .level(let level): (level, 0, [])
            case .shared(let number): (nil, number, [])
            case .reach(let level, let path): (level, 0, path)
            }
        (kind, write, enumerate, test, expected, end) =
            switch work {
            case .nothing: (.nothing, Self.writesNothing, Self.enumeratesNothing, Self.isFalse, true, 0)
            case .write(let write): (.write, write, Self.enumeratesNothing, Self.isFalse, true, 0)
            case .each(let enumerate, let end):
                (.each, Self.writesNothing, enumerate, Self.isFalse, true, end)
            case .when(let test, let expected, let end):
                (.when, Self.writesNothing, Self.enumeratesNothing, test, expected, end)
            }
    }

    private static let writesNothing: Writer = { _, _ in }
    private static let enumeratesNothing: Enumerator = { _, _ in }
    private static let isFalse: Test = { _ in false }

    fileprivate var isBytesOnly: Bool { kind == .nothing }
}

/// A template bound to the type of its page.
public struct PageTemplate<Model: TemplateModel>: Sendable {
    let program: Program

    /// Appends HTML; the buffer keeps what it had.
    public func render(_ model: Model, into out: ByteBuffer) {
        ValuePointer.lend(model) { program.run(on: $0, out) }
    }
}

/// Steps, their literal bytes, and the models of the page that they share.
struct Program: Sendable {
    private(set) var steps: ContiguousArray<Step> = []
    /// The same steps, for reading them without reference counting: see `Run`.
    private(set) var flow: ContiguousArray<Unmanaged<Step>> = []
    private(set) var pool: [UInt8] = []
    private(set) var shared: [(name: String, path: [Enumerator])] = []
    /// The greatest number of context levels.
    var levels = 1

    /// The origin of a model of the page itself, which may be missing.
    mutating func origin(ofShared name: String, _ path: [Enumerator]) -> Step.Origin {
        if let known = shared.firstIndex(where: { $0.name == name }) { return .shared(known) }
        shared.append((name, path))
        return .shared(shared.count - 1)
    }

    /// Completes the program: nothing is added afterwards.
    mutating func seal() { flow = ContiguousArray(steps.map(Unmanaged.passUnretained)) }

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

    /// Adds a step, merged into a preceding step that only prints bytes.
    /// - Returns: its position.
    @discardableResult
    mutating func add(_ origin: Step.Origin, _ work: Step.Work) -> Int {
        if let last = steps.last, last.isBytesOnly {
            steps[steps.count - 1] = Step(start: last.start, count: last.count, origin, work)
        } else {
            steps.append(Step(origin, work))
        }
        return steps.count - 1
    }

    /// Sets the end of a section's body, and begins a step that can be jumped to.
    mutating func close(_ position: Int, _ work: (_ end: Int) -> Step.Work) {
        let opening = steps[position]
        steps[position] = Step(start: opening.start, count: opening.count, opening.origin, work(steps.count))
        steps.append(Step())
    }
}
