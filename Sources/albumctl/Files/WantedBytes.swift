import Control
import Glibc
import PhotoModel
import Platform

/// Which bytes of an asset are meant: a version of one of its files, or a part of that.
struct WantedBytes {
    var version: VersionRow
    /// The movie of a motion photo, inside the picture's file; nil for all of it.
    var span: EmbeddedMovie?

    /// `type` is the word of a resource's type, nil for what the asset is shown by; `name` is `current` or `original`.
    init(of asset: AssetRow, _ type: String?, _ name: String) throws(Problem) {
        let resource = asset.resources.first { row in
            type == nil || ResourceType(rawValue: row.type).map { "\($0)" } == type
        }
        if let version = name == "current" ? resource?.versions.last : resource?.versions.first {
            self.version = version
            return
        }
        // Where it lies is known of the current bytes.
        guard type == "\(ResourceType.pairedVideo)", let movie = asset.facts?.embeddedMovie,
            let versions = asset.resources.first?.versions, let version = versions.last,
            name == "current" || versions.count == 1
        else {
            let what = type.map { "\(asset.localIdentifier) has no \($0)" }
            throw .failed(
                what ?? "\(asset.localIdentifier) has no file", fix: "albumctl asset get \(asset.localIdentifier)")
        }
        (self.version, span) = (version, movie)
    }
}

/// Copies a part of a file into an empty one; what it has is said as of a version of its own.
func copy(
    _ part: EmbeddedMovie, of version: VersionRow, from whole: OpenFile, to file: OpenFile, files: any FileVerbs
) throws(Problem) -> VersionRow {
    do throws(FileError) {
        var done: Int64 = 0
        while done < part.byteCount {
            let count = Int(min(part.byteCount - done, 1 << 20))
            let piece = try readBytes(whole, files: files, at: part.offset + done, count: count)
            guard piece.count == count else { throw FileError(code: EIO, verb: "read the movie in the picture") }
            try writeBytes(file, piece, files: files, at: done)
            done += Int64(count)
        }
    } catch {
        throw .failed("\(error)")
    }
    var row = version
    row.byteCount = part.byteCount
    if let hash = try hash(of: file, files: files) { row.sha256 = hash }
    return row
}
