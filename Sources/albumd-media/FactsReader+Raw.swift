import MediaBytes
import MediaContainers
import MediaFacts

/// Camera RAW: EXIF and the size that the file states by its directories; where it states none, and for the formats
/// that are no TIFF, libraw.
extension FactsReader {
    mutating func readRaw() {
        readRawMetadata()
        switch RawFacts.read(file) {
        case .success(let raw):
            change { $0.codedSize = $0.codedSize ?? raw.size }
            laterTags = raw.tags
        case .failure(let refusal): note(fault: "libraw: \(refusal.reason)")
        }
    }

    private mutating func readRawMetadata() {
        let bytes = file.bytes
        if let stream = TIFFStream(bytes) {
            exif.add(stream)
            let size = stream.pictureSize ?? exif.statedSize
            change { $0.codedSize = size }
        } else if bytes.has("ftyp", at: 4) {
            addCanonBoxes(bytes)
        } else if bytes.has("FUJIFILMCCD-RAW", at: 0), let start = bytes.integer(at: 84, count: 4) {
            // Its size is the preview's.
            let segments = JPEGSegments(in: bytes, from: Int64(start))
            take(exif: segments.exif, xmp: segments.xmp)
        }
    }

    /// CR3 keeps each directory of EXIF as a TIFF stream in a box of its own.
    private mutating func addCanonBoxes(_ bytes: FileBytes) {
        guard let movie = bytes.box("moov"), let own = bytes.boxes(in: movie).first(where: { $0.type == "uuid" }) else {
            return
        }
        let directories: [FourCC: ExifField.Directory] = ["CMT1": .primary, "CMT2": .exif, "CMT4": .gps]
        for box in bytes.boxes(in: own, skipping: 16) {
            guard let directory = directories[box.type], let stream = bytes.content(of: box).flatMap({ TIFFStream($0) })
            else { continue }
            exif.add(stream, as: directory)
            let size = exif.statedSize
            change { $0.codedSize = size }
        }
    }
}
