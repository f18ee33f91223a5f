import CExif
import MediaContainers
import MediaFacts

/// The fields of an EXIF block as libexif reads them.
func exifTags(of block: [UInt8]) -> [Tag: String] {
    guard let exif = exif_data_new() else { return [:] }
    defer { exif_data_unref(exif) }
    // A fixed block would have fields that the camera did not write.
    exif_data_unset_option(exif, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    exif_data_unset_option(exif, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    exif_data_load_data(exif, block, UInt32(block.count))
    var tags: [Tag: String] = [:]
    for field in ExifField.all {
        guard let content = content(of: exif, field.directory),
            let entry = exif_content_get_entry(content, ExifTag(rawValue: UInt32(field.number))),
            let value = value(of: entry.pointee, exif_data_get_byte_order(exif), isComment: field.tag == .userComment)
        else { continue }
        tags[field.tag] = value
    }
    return tags
}

private func content(
    of exif: UnsafeMutablePointer<ExifData>, _ directory: ExifField.Directory
) -> UnsafeMutablePointer<ExifContent>? {
    switch directory {
    case .primary: exif.pointee.ifd.0
    case .exif: exif.pointee.ifd.2
    case .gps: exif.pointee.ifd.3
    }
}

/// Text as it stands, numbers as numbers, fractions as `numerator/denominator`; nil where it is empty.
private func value(of entry: ExifEntry, _ order: ExifByteOrder, isComment: Bool) -> String? {
    guard let data = entry.data, entry.size > 0 else { return nil }
    let bytes = UnsafeBufferPointer(start: data, count: Int(entry.size))
    let unit = Int(exif_format_get_size(entry.format))
    let count = min(Int(entry.components), 16, unit > 0 ? bytes.count / unit : 0)
    let places = (0..<count).map { data + $0 * unit }
    let words: [String]
    switch entry.format {
    case EXIF_FORMAT_ASCII: return text(bytes)
    // The first eight bytes of a comment name its encoding.
    case EXIF_FORMAT_UNDEFINED: return text(isComment ? bytes.dropFirst(8) : bytes[...])
    case EXIF_FORMAT_BYTE, EXIF_FORMAT_SBYTE: words = places.map { "\($0.pointee)" }
    case EXIF_FORMAT_SHORT: words = places.map { "\(exif_get_short($0, order))" }
    case EXIF_FORMAT_SSHORT: words = places.map { "\(exif_get_sshort($0, order))" }
    case EXIF_FORMAT_LONG: words = places.map { "\(exif_get_long($0, order))" }
    case EXIF_FORMAT_SLONG: words = places.map { "\(exif_get_slong($0, order))" }
    case EXIF_FORMAT_RATIONAL:
        words = places.map { exif_get_rational($0, order) }.map { "\($0.numerator)/\($0.denominator)" }
    case EXIF_FORMAT_SRATIONAL:
        words = places.map { exif_get_srational($0, order) }.map { "\($0.numerator)/\($0.denominator)" }
    default: return nil
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
}

/// Up to its first zero, without the spaces that fill it up.
private func text(_ bytes: some Sequence<UInt8>) -> String? {
    var kept = Array(bytes.prefix { $0 != 0 })
    while let last = kept.last, [0x20, 0x0A, 0x0D].contains(last) { kept.removeLast() }
    return kept.isEmpty ? nil : String(decoding: kept, as: UTF8.self)
}
