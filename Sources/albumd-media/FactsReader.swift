import MediaContainers
import MediaFacts

/// Reads what one file says of itself, each part by the library that is made for it.
///
/// A part that cannot be read is a fault among the facts; the others stand.
struct FactsReader {
    let file: OpenedFile
    let libraries: Libraries
    let format: String
    private(set) var facts = FileFacts()
    /// What EXIF, XMP and IPTC there is, as the container gave it.
    var exif = ExifBlock()
    var xmp: [UInt8]?
    var iptc: IPTCRecords?
    /// What counts only where neither EXIF nor XMP says it.
    var laterTags: [Tag: String] = [:]

    init(file: OpenedFile, format: String, libraries: Libraries) {
        self.file = file
        self.format = format
        self.libraries = libraries
    }

    func read() -> WorkerAnswer {
        var reader = self
        reader.readContainer()
        reader.readMetadata()
        reader.facts.trailingMovie = reader.trailingMovie
        reader.facts.holdToLimits()
        guard reader.facts != FileFacts(faults: reader.facts.faults) else {
            return .unreadable(reader.facts.faults.first ?? "it says nothing of itself")
        }
        return .facts(reader.facts)
    }

    mutating func note(fault: String) { facts.faults.append(fault) }

    mutating func change(_ change: (inout FileFacts) -> Void) { change(&facts) }

    private mutating func readContainer() {
        switch format {
        case "jpeg": readJPEG()
        case "png", "apng": readPNG()
        case "heic", "heif", "avif": readHEIF()
        case "tiff": readTIFF()
        case "jxl": readJPEGXL()
        case "bmp": facts.codedSize = PixelSize(bitmap: file.bytes)
        case "psd": facts.codedSize = PixelSize(photoshop: file.bytes)
        case "gif", "webp", "jp2", "j2k", "ppm", "pgm", "hdr": readPicture()
        case "xmp": readSidecar()
        case "mov", "mp4", "m4v", "mj2", "mts", "ts", "mpg", "mkv", "webm", "avi", "wmv", "flv", "ogv", "mxf", "3gp",
            "3g2":
            readMovie()
        case "dng", "cr2", "cr3", "crw", "nef", "arw", "rw2", "orf", "raf", "pef", "srw", "x3f", "mrw", "iiq", "erf",
            "dcr", "mos", "mef", "3fr":
            readRaw()
        default: note(fault: "nothing here reads the format \(format)")
        }
    }

    private mutating func readMetadata() {
        if let block = exif.bytes { facts.add(exifTags(of: block)) }
        if let note = exif.makerNote, let apple = AppleNote(note) { facts.add(apple.tags) }
        if let xmp, libraries.hasExempi { facts.add(xmpTags(of: xmp)) }
        if let records = iptc ?? exif.iptc { facts.add(records.tags) }
        facts.add(laterTags)
    }

    /// Of a picture alone: a movie may have its own boxes of that name.
    private var trailingMovie: ByteSpan? {
        guard ["jpeg", "heic", "heif", "avif"].contains(format) else { return nil }
        let length = facts.tags[.motionPhotoLength] ?? facts.tags[.microVideoOffset]
        return ByteSpan(movieOf: file.bytes, length: length.flatMap { Int64($0) })
    }
}

extension FileFacts {
    /// Takes the tags that are not there yet: what was read first is nearer to the picture.
    mutating func add(_ others: [Tag: String]) { tags.merge(others) { first, _ in first } }

    /// What is larger than any camera makes is a false header (S3), and is not passed on.
    fileprivate mutating func holdToLimits() {
        if let size = codedSize, !size.isCredible {
            faults.append("its header states \(size.width) x \(size.height) pixels, which is not credible")
            codedSize = nil
        }
        faults = faults.prefix(8).map { String($0.prefix(500)) }
        tags = tags.mapValues { String($0.prefix(8192)) }
    }
}

extension PixelSize {
    private static let sideLimit = 65_500
    private static let areaLimit = 200_000_000

    var isCredible: Bool {
        1...PixelSize.sideLimit ~= width && 1...PixelSize.sideLimit ~= height && width * height <= PixelSize.areaLimit
    }
}
