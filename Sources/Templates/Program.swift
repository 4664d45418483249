// A page's template as flat instructions, bound to the page's type.

/// One step of a program. Depths count the levels of the context from the page outwards in.
enum Instruction: Sendable {
    /// Print bytes of the pool.
    case literal(start: Int, count: Int)
    /// Print a value of the level.
    case write(depth: Int, Writer)
    /// Print a value that is reached through other models.
    case reach(depth: Int, [Visit], Writer)
    /// Go through the values of a section; its body ends before `end`.
    case each(depth: Int, [Visit], Visit, end: Int)
    /// Show a section's body, or not.
    case when(depth: Int, [Visit], Test, expected: Bool, end: Int)
}

/// A template bound to the page type that it shows.
public struct PageTemplate<Model: TemplateModel>: Sendable {
    let program: Program

    /// Prints the page.
    public func render(_ model: Model, into out: ByteBuffer) {
        var levels: [AnyObject] = [Cell(model)]
        levels.reserveCapacity(8)
        program.run(0, program.instructions.count, &levels, out)
    }
}

struct Program: Sendable {
    var instructions: [Instruction] = []
    var pool: [UInt8] = []

    mutating func add(literal bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if case .literal(let start, let count)? = instructions.last, start + count == pool.count {
            instructions[instructions.count - 1] = .literal(start: start, count: count + bytes.count)
        } else {
            instructions.append(.literal(start: pool.count, count: bytes.count))
        }
        pool += bytes
    }

    func run(_ begin: Int, _ end: Int, _ levels: inout [AnyObject], _ out: ByteBuffer) {
        var position = begin
        while position < end {
            switch instructions[position] {
            case .literal(let start, let count): out.append(pool, from: start, count: count)
            case .write(let depth, let write): write(levels[depth], out)
            case .reach(let depth, let path, let write):
                Self.walk(path[...], levels[depth]) { write($0, out) }
            case .each(let depth, let path, let visit, let after):
                var inner = levels
                let body = position + 1
                let level = inner.count
                Self.walk(path[...], levels[depth]) { cell in
                    visit(cell) { value in
                        if inner.count == level { inner.append(value) } else { inner[level] = value }
                        run(body, after, &inner, out)
                    }
                }
                position = after
                continue
            case .when(let depth, let path, let test, let expected, let after):
                var holds = false
                Self.walk(path[...], levels[depth]) { holds = test($0) }
                guard holds == expected else {
                    position = after
                    continue
                }
            }
            position += 1
        }
    }

    private static func walk(_ path: ArraySlice<Visit>, _ cell: AnyObject, _ body: (AnyObject) -> Void) {
        guard let first = path.first else { return body(cell) }
        first(cell) { walk(path.dropFirst(), $0, body) }
    }
}
