import MediaBytes
import MediaContainers
import MediaFacts

/// HEIF and AVIF: size, turning and metadata by their items; a sequence by libav, as the movie that it is.
extension FactsReader {
    mutating func readHEIF() {
        let items = HEIFItems(in: file.bytes)
        if hasSequence { readMovie() }
        guard let items else {
            if !hasSequence { note(fault: "it has no items that say what it shows") }
            return
        }
        take(exif: items.exif, xmp: items.xmp)
        change {
            $0.codedSize = items.codedSize ?? $0.codedSize
            $0.containerOrientation = items.orientation
            $0.auxiliaryImages = items.auxiliaryImages
            $0.frameCount = $0.frameCount ?? $0.codedSize.map { _ in 1 }
        }
    }

    private var hasSequence: Bool { file.bytes.boxes.contains { $0.type == "moov" } }
}
