import ArgumentParser
import BreadlyApp
import Foundation
import Templates
import Web

/// Renders one template with data from a JSON file.
struct TemplateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template",
        abstract: "Render one Mustache template with data from a JSON file."
    )

    @Argument(help: "The template file.")
    var file: String

    @Option(help: "A JSON file with the data.")
    var data: String

    @Option(help: "The folder of partials, NAME.mustache. Default: the folder of the template.")
    var partials: String?

    func run() throws {
        let folder = partials ?? URL(fileURLWithPath: file).deletingLastPathComponent().path
        let value = try TemplateValue(json: try bytes(data), file: data)
        // A program that was copied alone has no catalogue; a template without sentences needs none.
        let texts = try (try? Resources.find(executable: Program.path))?.texts()
        let template = try DynamicTemplate(
            name: file,
            source: try bytes(file),
            links: PageLibrary.links(),
            texts: texts ?? .empty
        ) {
            name in
            guard !name.split(separator: "/").contains("..") else { return nil }
            return FileManager.default.contents(atPath: "\(folder)/\(name).mustache").map { Array($0) }
        }
        let page = Data(try template.render(value).bytes)
        do { try FileHandle.standardOutput.write(contentsOf: page) } catch {
            throw Failure("the page cannot be written to standard output.")
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Failure("\(path) cannot be read.")
        }
        return Array(content)
    }
}
