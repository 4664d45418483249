// A page's template as flat steps, bound to the page's type.

/// One step of a program: bytes that are printed as they are, and then something that is read from the context.
///
/// A constant object with a property for each thing it may need, and not an enumeration: running it then copies
/// nothing, and counts no references.
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

    enum Kind: Sendable {
        case nothing, write, each, when
    }

    /// Where its bytes are in the pool.
    let start: Int
    /// How many bytes are its.
    let count: Int
    let origin: Origin
    /// What it does, without the rest.
    let kind: Kind
    /// The level that it reads from; nil for a shared model.
    let level: Int?
    /// The shared model that it reads from.
    let number: Int
    /// How it reaches a model from there; empty where it stands there itself.
    let path: [Visit]
    let write: Writer
    let visit: Visit
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
        (kind, write, visit, test, expected, end) =
            switch work {
            case .nothing: (.nothing, Self.writesNothing, Self.visitsNothing, Self.isFalse, true, 0)
            case .write(let write): (.write, write, Self.visitsNothing, Self.isFalse, true, 0)
            case .each(let visit, let end): (.each, Self.writesNothing, visit, Self.isFalse, true, end)
            case .when(let test, let expected, let end):
                (.when, Self.writesNothing, Self.visitsNothing, test, expected, end)
            }
    }

    private static let writesNothing: Writer = { _, _ in }
    private static let visitsNothing: Visit = { _, _ in }
    private static let isFalse: Test = { _ in false }

    fileprivate var isBytesOnly: Bool { kind == .nothing }
}

/// A template bound to the page type that it shows.
public struct PageTemplate<Model: TemplateModel>: Sendable {
    let program: Program

    /// Prints the page.
    public func render(_ model: Model, into out: ByteBuffer) { Spot.lend(model) { program.run(on: $0, out) } }
}

/// Steps, the bytes that they print, and the models of the page that they share.
struct Program: Sendable {
    private(set) var steps: ContiguousArray<Step> = []
    /// The same steps, for reading them without counting references: see `Run`.
    private(set) var flow: ContiguousArray<Unmanaged<Step>> = []
    private(set) var pool: [UInt8] = []
    private(set) var shared: [(name: String, path: [Visit])] = []
    /// How many levels of the context there are at most.
    var levels = 1

    /// How a model is reached that belongs to the page itself: one or none.
    mutating func origin(ofShared name: String, _ path: [Visit]) -> Step.Origin {
        if let known = shared.firstIndex(where: { $0.name == name }) { return .shared(known) }
        shared.append((name, path))
        return .shared(shared.count - 1)
    }

    /// Ends the making: nothing is added afterwards.
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
}
