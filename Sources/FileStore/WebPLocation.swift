// The parts of a WebP file that may hold the place where a photo was taken.

extension LocationEdits {
    /// A chunk that programs pass over.
    private static let junk = "JUNK"
    /// The chunks of the picture, and those that hold no place.
    private static let harmless: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", junk]

    mutating func editWebP(_ content: some ByteSource) {
        guard let file = WebPFile(content) else { return leave() }
        if let end = file.end { truncate(content, to: end) } else { leave() }
        var (hasExif, hasXMP) = (false, false)
        for chunk in file.chunks {
            switch chunk.name {
            case "EXIF" where !hasExif:
                let block = Self.withoutExifName(chunk.content, in: content)
                hasExif = editExif(in: block, of: content) != nil
                if !hasExif { blank(chunk, content) }
            case "XMP " where !hasXMP && !Self.namesPlace(in: chunk.content, of: content): hasXMP = true
            case let name where Self.harmless.contains(name): break
            default: blank(chunk, content)
            }
        }
        // A program may look for the chunks that the flags name.
        guard let form = file.chunks.first, form.name == "VP8X", !form.content.isEmpty,
            let flags = content.bytes(at: form.content.lowerBound, count: 1).first
        else { return }
        let left = flags & ~((hasExif ? 0 : 0x08) | (hasXMP ? 0 : 0x04))
        replace([left], at: form.content.lowerBound, in: content)
    }

    /// Turns a chunk into one of zeros without a meaning.
    private mutating func blank(_ chunk: WebPFile.Chunk, _ content: some ByteSource) {
        replace(Array(Self.junk.utf8), at: chunk.start, in: content)
        fill(chunk.content, in: content)
    }
}
