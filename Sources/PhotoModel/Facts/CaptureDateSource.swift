/// Which of a photo's sources its capture date comes from, best first.
package enum CaptureDateSource: String, Codable, Sendable, CaseIterable {
    /// EXIF: when the shutter opened, by the camera's clock.
    case dateTimeOriginal
    /// EXIF: the satellites' date and time, UTC.
    case gpsTime
    /// QuickTime's `com.apple.quicktime.creationdate`, with its zone.
    case quickTimeCreationDate
    /// The movie header's creation time, UTC.
    case movieCreationTime
    /// Another container's own date.
    case containerDate
    case xmpDateTimeOriginal
    case xmpDateCreated
    /// EXIF: when it became digital, which of a scan is not when it was taken.
    case dateTimeDigitized
    case xmpCreateDate
    case xmpGPSTime
    /// An XMP file beside it.
    case xmpSidecar
    /// Google Takeout's `photoTakenTime`, UTC.
    case takeoutSidecar
    /// A date in the file's name.
    case filename
    /// EXIF: when the file was changed last, by a program.
    case dateTime
    /// The file's modification time.
    case modificationDate

    /// Whether the file's bytes say so themselves.
    package var isInFile: Bool {
        switch self {
        case .xmpSidecar, .takeoutSidecar, .filename, .modificationDate: false
        default: true
        }
    }
}
