package import MediaFacts

/// How a picture lies when it is shown.
extension FileFacts {
    /// The container's word, which decoders obey, before EXIF's and XMP's; what is not 1 to 8 is none.
    ///
    /// Never both: a HEIF file that is turned by its container often repeats the turn in EXIF (CASES E11).
    package var shownOrientation: Int? {
        let words = [containerOrientation, tags.integer(.orientation), tags.integer(.xmpOrientation)]
        return words.lazy.compactMap { $0 }.first { (1...8).contains($0) }
    }

    /// The size after orientation: 5 to 8 lie on their side (EXIF 2.32, 4.6.5.1.6).
    package var shownSize: PixelSize? {
        guard let size = codedSize, size.width > 0, size.height > 0 else { return nil }
        let isOnItsSide = (5...8).contains(shownOrientation ?? 1)
        return isOnItsSide ? PixelSize(width: size.height, height: size.width) : size
    }
}
