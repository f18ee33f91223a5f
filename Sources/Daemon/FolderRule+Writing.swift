import PhotoModel

extension FolderRule {
    /// The rule as a `[[folder]]` table that reads back as the same rule.
    var toml: String {
        let lines = [
            "[[folder]]",
            "path = \(tomlString(String(decoding: path, as: UTF8.self)))",
            "album = \(tomlString(album))",
            "on_album_missing = \(tomlString(onAlbumMissing.rawValue))",
            "albums = \(tomlString(albums.rawValue))",
            "mode = \(tomlString(mode.rawValue))",
            "settle = \(tomlString(DurationText.write(settle)))",
            "awaited = \(tomlString(DurationText.write(awaited)))",
            "watch = \(tomlString(watch.rawValue))",
            "poll = \(tomlString(DurationText.write(poll)))",
            "ignore = [\(ignore.map(tomlString).joined(separator: ", "))]",
            "on_source_deleted = \(tomlString(onSourceDeleted.rawValue))",
            "on_asset_deleted = \(tomlString(onAssetDeleted.rawValue))",
            "creation_date = \(tomlString(creationDate.rawValue))",
        ]
        return lines.map { $0 + "\n" }.joined()
    }
}

/// A basic string of TOML: quote, backslash and control characters escaped (toml.io, v1.0.0, String).
func tomlString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x22, 0x5C: result += "\\\(scalar)"
        case 0..<0x20, 0x7F: result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
