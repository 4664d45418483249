// A page's template as flat instructions, bound to the page's type.

/// Where an instruction finds the value that it reads from.
enum Source: Sendable {
    /// A level of the context; depths count from the page outwards in.
    case level(Int)
    /// A model of the page that is looked up once for the whole page, such as its frame.
    case shared(Int)
    /// A model that is reached through others, from a level on.
    case path(depth: Int, Int)
}

/// One step of a program. Functions are kept beside the steps, so that a step is a few plain numbers.
enum Instruction: Sendable {
    /// Print bytes of the pool.
    case literal(start: Int, count: Int)
    /// Print a value.
    case write(Source, writer: Int)
    /// Go through the values of a section; its body ends before `end`.
    case each(Source, visit: Int, end: Int)
    /// Show a section's body, or not.
    case when(Source, test: Int, expected: Bool, end: Int)
}

/// A template bound to the page type that it shows.
public struct PageTemplate<Model: TemplateModel>: Sendable {
    let program: Program

    /// Prints the page.
    public func render(_ model: Model, into out: ByteBuffer) { program.run(Cell(model), out) }
}

struct Program: Sendable {
    var instructions: [Instruction] = []
    private(set) var pool: [UInt8] = []
    private var writers: [Writer] = []
    private var visits: [Visit] = []
    private var tests: [Test] = []
    private var paths: [[Visit]] = []
    private var shared: [Visit] = []
    private var sharedByName: [String: Int] = [:]

    /// What a page is printed with: the levels of the context, and the page's models that are looked up once.
    private struct Run {
        var levels: [AnyObject]
        var shared: [AnyObject?]
    }

    mutating func add(literal bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if case .literal(let start, let count)? = instructions.last, start + count == pool.count {
            instructions[instructions.count - 1] = .literal(start: start, count: count + bytes.count)
        } else {
            instructions.append(.literal(start: pool.count, count: bytes.count))
        }
        pool += bytes
    }

    mutating func add(_ writer: @escaping Writer) -> Int {
        writers.append(writer)
        return writers.count - 1
    }

    mutating func add(_ visit: @escaping Visit) -> Int {
        visits.append(visit)
        return visits.count - 1
    }

    mutating func add(_ test: @escaping Test) -> Int {
        tests.append(test)
        return tests.count - 1
    }

    /// Where a value is found that a level gives through other models.
    /// - Parameter name: what the first of the models is called.
    mutating func source(depth: Int, _ path: [Visit], through name: String) -> Source {
        guard let first = path.first else { return .level(depth) }
        guard depth == 0, path.count == 1 else {
            paths.append(path)
            return .path(depth: depth, paths.count - 1)
        }
        if let known = sharedByName[name] { return .shared(known) }
        shared.append(first)
        sharedByName[name] = shared.count - 1
        return .shared(shared.count - 1)
    }

    func run(_ page: AnyObject, _ out: ByteBuffer) {
        var run = Run(levels: [page], shared: [])
        run.levels.reserveCapacity(8)
        for visit in shared {
            var found: AnyObject?
            visit(page) { found = $0 }
            run.shared.append(found)
        }
        self.run(0, instructions.count, &run, out)
    }

    private func run(_ begin: Int, _ end: Int, _ run: inout Run, _ out: ByteBuffer) {
        var position = begin
        while position < end {
            switch instructions[position] {
            case .literal(let start, let count): out.append(pool, from: start, count: count)
            case .write(let source, let writer):
                if let value = find(source, run) { writers[writer](value, out) }
            case .each(let source, let visit, let after):
                let body = position + 1
                if let value = find(source, run) {
                    visits[visit](value) { element in
                        run.levels.append(element)
                        self.run(body, after, &run, out)
                        run.levels.removeLast()
                    }
                }
                position = after
                continue
            case .when(let source, let test, let expected, let after):
                let holds = find(source, run).map { tests[test]($0) } ?? false
                guard holds == expected else {
                    position = after
                    continue
                }
            }
            position += 1
        }
    }

    @inline(__always)
    private func find(_ source: Source, _ run: borrowing Run) -> AnyObject? {
        switch source {
        case .level(let depth): run.levels[depth]
        case .shared(let slot): run.shared[slot]
        case .path(let depth, let path): Self.reached(paths[path], from: run.levels[depth])
        }
    }

    private static func reached(_ path: [Visit], from cell: AnyObject) -> AnyObject? {
        var current: AnyObject? = cell
        for visit in path {
            guard let value = current else { return nil }
            current = nil
            visit(value) { current = $0 }
        }
        return current
    }
}
