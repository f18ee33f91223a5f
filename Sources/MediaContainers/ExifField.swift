package import MediaFacts

/// A field of EXIF that albumd reads: in which directory it stands, and under which number (EXIF 2.32, 4.6).
package struct ExifField: Hashable, Sendable {
    /// The directories of an EXIF block; each number means something else in each.
    package enum Directory: Int, Hashable, Sendable, CaseIterable {
        case primary
        case exif
        case gps
    }

    package var directory: Directory
    package var number: UInt16
    package var tag: Tag

    private init(_ directory: Directory, _ number: UInt16, _ tag: Tag) {
        self.directory = directory
        self.number = number
        self.tag = tag
    }

    /// All that are read; what else a block holds never reaches a library.
    package static let all = primary + exif + gps

    private static let primary = [
        ExifField(.primary, 0x010E, .imageDescription), ExifField(.primary, 0x010F, .make),
        ExifField(.primary, 0x0110, .model), ExifField(.primary, 0x0112, .orientation),
        ExifField(.primary, 0x0132, .dateTime), ExifField(.primary, 0x4746, .rating),
    ]

    private static let exif = [
        ExifField(.exif, 0x829A, .exposureTime), ExifField(.exif, 0x829D, .fNumber),
        ExifField(.exif, 0x8827, .photographicSensitivity), ExifField(.exif, 0x9003, .dateTimeOriginal),
        ExifField(.exif, 0x9004, .dateTimeDigitized), ExifField(.exif, 0x9010, .offsetTime),
        ExifField(.exif, 0x9011, .offsetTimeOriginal), ExifField(.exif, 0x9012, .offsetTimeDigitized),
        ExifField(.exif, 0x9286, .userComment), ExifField(.exif, 0x9291, .subSecTimeOriginal),
        ExifField(.exif, 0x9292, .subSecTimeDigitized), ExifField(.exif, 0x920A, .focalLength),
        ExifField(.exif, 0xA401, .customRendered), ExifField(.exif, 0xA405, .focalLengthIn35mmFilm),
        ExifField(.exif, 0xA434, .lensModel),
    ]

    private static let gps = [
        ExifField(.gps, 0x0001, .gpsLatitudeRef), ExifField(.gps, 0x0002, .gpsLatitude),
        ExifField(.gps, 0x0003, .gpsLongitudeRef), ExifField(.gps, 0x0004, .gpsLongitude),
        ExifField(.gps, 0x0005, .gpsAltitudeRef), ExifField(.gps, 0x0006, .gpsAltitude),
        ExifField(.gps, 0x0007, .gpsTimeStamp), ExifField(.gps, 0x001D, .gpsDateStamp),
    ]
}
