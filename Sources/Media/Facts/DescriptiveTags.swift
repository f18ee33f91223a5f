import MediaFacts
import PhotoModel

/// What tags say in words: of a file or of an XMP sidecar, by the same rules.
extension [Tag: String] {
    /// IPTC, which is older, counts where XMP says nothing.
    var title: String? { text(.xmpTitle) ?? text(.iptcTitle) ?? text(.quickTimeTitle) }

    var caption: String? {
        [Tag.xmpDescription, .iptcCaption, .imageDescription].lazy.compactMap { text($0) }
            .first { !isWrittenByCamera($0) }
    }

    /// One a line, as the worker writes a list; the first 500.
    var keywords: [String] {
        let lines = (text(.xmpSubject) ?? text(.iptcKeywords))?.split(whereSeparator: \.isNewline) ?? []
        var seen: Set<String> = []
        return lines.prefix(500).compactMap { line in
            let word = String(line.drop(while: \.isWhitespace).prefix(256))
            return word.isEmpty || !seen.insert(word).inserted ? nil : word
        }
    }

    /// Stars; -1, XMP's word for rejected, is no number of stars.
    var rating: Int? {
        guard let stars = number(.xmpRating) ?? number(.rating), stars <= 5 else { return nil }
        return Int(stars.rounded())
    }

    var isFavorite: Bool? {
        switch text(.xmpFavorite)?.lowercased() {
        case "1", "true": true
        case "0", "false": false
        default: nil
        }
    }

    var camera: Camera? {
        let make = text(.make) ?? text(.quickTimeMake) ?? text(.xmpMake)
        let model = text(.model) ?? text(.quickTimeModel) ?? text(.xmpModel)
        let lens = text(.lensModel) ?? text(.quickTimeLensModel) ?? text(.xmpLens)
        let camera = Camera(make: make, model: model, lens: lens)
        return camera == Camera() ? nil : camera
    }

    var exposure: Exposure? {
        let exposure = Exposure(
            time: positive(.exposureTime), fNumber: positive(.fNumber),
            iso: positive(.photographicSensitivity).flatMap { Int(exactly: $0.rounded()) },
            focalLength: positive(.focalLength), focalLengthIn35mm: positive(.focalLengthIn35mmFilm))
        return exposure == Exposure() ? nil : exposure
    }

    /// EXIF's 0 is unknown in all of these, and so is a numerator of all ones.
    private func positive(_ tag: Tag) -> Double? {
        number(tag).flatMap { $0 > 0 && $0 < Double(UInt32.max) ? $0 : nil }
    }

    /// Cameras of some makers write their own name where a caption would be.
    private func isWrittenByCamera(_ caption: String) -> Bool {
        let words = [
            "OLYMPUS DIGITAL CAMERA", "SONY DSC", "MINOLTA DIGITAL CAMERA", "SAMSUNG", "KODAK Digital Still Camera",
            #"DCIM\"#,
        ]
        return words.contains { caption.hasPrefix($0) }
    }
}
