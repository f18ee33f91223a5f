import Glibc
import MediaBytes
import MediaContainers
import MediaFacts

/// Every parser of ours over bytes of strangers, by the name that `run` gives it.
private let parsers: [String: @Sendable ([UInt8]) -> Void] = [
    "HEIFItems": { _ = HEIFItems(in: FileBytes($0)) },
    "MovieKeys": { _ = MovieKeys(in: FileBytes($0)) },
    "TIFFStream": { _ = TIFFStream(FileBytes($0))?.pictureSize },
    "ExifBlock": { bytes in
        guard let stream = TIFFStream(FileBytes(bytes)) else { return }
        var block = ExifBlock()
        block.add(stream)
        block.add(stream, as: .gps)
        _ = block.bytes
    },
    // Chance does not find the mark that it begins with.
    "AppleNote": { _ = AppleNote(Array("Apple iOS\0\0\u{1}MM".utf8) + $0) },
    "JPEGSegments": { _ = JPEGSegments(in: FileBytes($0)) },
    "IPTCRecords": { bytes in
        _ = IPTCRecords(bytes)
        _ = IPTCRecords(photoshop: Array("8BIM\u{4}\u{4}\0\0".utf8) + bytes)
    },
    "PNGChunks": { _ = PNGChunks(in: FileBytes($0)) },
    "TrailingMovie": { _ = ByteSpan(movieOf: FileBytes($0), length: 64) },
    "CamcorderNote": { _ = CamcorderNote(in: $0) },
    "PictureHeader": {
        _ = PixelSize(bitmap: FileBytes($0))
        _ = PixelSize(photoshop: FileBytes($0))
    },
]

/// libFuzzer's door (llvm.org/docs/LibFuzzer.html): ALBUMD_PARSER says which of them is tried.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryParser(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let name = getenv("ALBUMD_PARSER").map { String(cString: $0) } ?? ""
    guard let parser = parsers[name] else { return -1 }
    parser(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
