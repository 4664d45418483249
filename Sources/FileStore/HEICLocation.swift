// The parts of a HEIC file that may hold the place where a photo was taken. Its orientation is a property of the picture.

extension LocationEdits {
    /// The boxes of a file with the picture, or with its parts and samples.
    private static let pictureBoxes: Set<String> = [
        "ftyp", "meta", "mdat", "moov", "moof", "mfra", "sidx", "styp", "pdin", "free", "skip", "wide",
    ]
    /// The boxes of `meta` that list the items.
    private static let listBoxes: Set<String> = [
        "hdlr", "dinf", "pitm", "iinf", "iref", "iprp", "iloc", "idat", "ipro", "grpl", "free", "skip",
    ]
    /// The tracks of an image sequence that are pictures or sounds.
    private static let tracks: Set<String> = ["pict", "vide", "auxv", "soun"]
    /// The greatest number of descriptions. A photo has one or two.
    private static let mostDescriptions = 100

    mutating func editHEIC(_ content: some ByteSource) {
        guard let file = HEICFile(content) else { return leave() }
        let descriptions = file.items.filter(\.isDescription)
        for item in descriptions.prefix(Self.mostDescriptions) {
            guard let parts = file.ownParts(of: item) else {
                leave()
                continue
            }
            edit(item, parts, content)
        }
        if descriptions.count > Self.mostDescriptions { leave() }
        // A film that follows the picture is a file of its own.
        let film = file.boxes.boxes.dropFirst().first { $0.name == "ftyp" }
        let end = film?.start ?? file.boxes.end
        let boxes = file.boxes.boxes.filter { $0.start < end }
        for box in boxes where !Self.pictureBoxes.contains(box.name) { free(box, of: file, content) }
        for box in file.lists.boxes where !Self.listBoxes.contains(box.name) { free(box, of: file, content) }
        let sequences = boxes.filter { $0.name == "moov" }
        for box in sequences.prefix(1) { editSequence(box.content, isTrack: false, of: file, content) }
        if sequences.count > 1 { leave() }
        guard end < content.size else { return }
        if file.mayUse(end..<content.size) || !sequences.isEmpty
            || !boxes.contains(where: { $0.name == "meta" })
        {
            leave()
        } else {
            truncate(content, to: end)
        }
    }

    private mutating func edit(_ item: HEICFile.Item, _ parts: [Range<Int>], _ content: some ByteSource) {
        if item.isXMP {
            let bytes = parts.reduce(0) { $0 + $1.count }
            let packet = parts.lazy.flatMap { content.bytes(at: $0.lowerBound, count: $0.count) }
            guard bytes > Self.mostBytes || Self.namesPlace(Array(packet)) else { return }
            // A packet of nothing but spaces is one that can be read.
            return parts.forEach { fill($0, with: 0x20, in: content) }
        }
        guard item.type == "Exif", parts.count == 1, editExif(parts[0], content) else {
            return parts.forEach { fill($0, in: content) }
        }
    }

    /// - Returns: false if nothing of the item can stay.
    private mutating func editExif(_ part: Range<Int>, _ content: some ByteSource) -> Bool {
        // The number of the bytes before the block: none, or the six of a JPEG file.
        guard let before = content.number(at: part.lowerBound, bytes: 4), before <= 6,
            part.lowerBound + 4 + before <= part.upperBound
        else { return false }
        let block = part.lowerBound + 4 + before..<part.upperBound
        return editExif(in: Self.withoutExifName(block, in: content), of: content) != nil
    }

    /// Removes the boxes of an image sequence and of its tracks that describe them.
    private mutating func editSequence(
        _ range: Range<Int>,
        isTrack: Bool,
        of file: HEICFile,
        _ content: some ByteSource
    ) {
        // Each is compared with the places of all items.
        let boxes = BoxFile(in: range, of: content, most: 100)
        if boxes.end != range.upperBound { leave() }
        for box in boxes.boxes {
            switch box.name {
            case "udta", "meta", "uuid": free(box, of: file, content)
            case "trak" where !isTrack:
                let handler =
                    BoxFile(in: box.content, of: content)["mdia"]
                    .flatMap { BoxFile(in: $0, of: content)["hdlr"] }
                    .map { content.bytes(at: $0.lowerBound + 8, count: 4) } ?? []
                // The samples of another track may be a list of places.
                if !Self.tracks.contains(String(decoding: handler, as: UTF8.self)) { leave() }
                editSequence(box.content, isTrack: true, of: file, content)
            default: break
            }
        }
    }

    /// Turns a box into free space of zeros.
    private mutating func free(_ box: BoxFile.Box, of file: HEICFile, _ content: some ByteSource) {
        guard !file.mayUse(box.content) else { return leave() }
        replace(Array("free".utf8), at: box.start + 4, in: content)
        fill(box.content, in: content)
    }
}
