import CRaw
import Glibc
import MediaFacts

/// What libraw finds in the header of a RAW file; nothing is unpacked.
struct RawFacts {
    struct Refusal: Error {
        var reason: String
    }

    var size: PixelSize
    var tags: [Tag: String]

    static func read(_ file: OpenedFile) -> Result<RawFacts, Refusal> {
        guard file.byteCount > 0, file.byteCount <= byteLimit else {
            return .failure(Refusal(reason: "it is empty, or larger than what may be mapped"))
        }
        let count = Int(file.byteCount)
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0), start != MAP_FAILED else {
            return .failure(Refusal(reason: "mmap: \(String(cString: strerror(errno)))"))
        }
        defer { munmap(start, count) }
        guard let raw = libraw_init(0) else { return .failure(Refusal(reason: "out of memory")) }
        defer { libraw_close(raw) }
        let code = libraw_open_buffer(raw, start, count)
        guard code == 0 else { return .failure(Refusal(reason: String(cString: libraw_strerror(code)))) }
        return .success(RawFacts(raw))
    }

    /// Half of the address space that the lock leaves.
    private static let byteLimit: Int64 = 256 << 20

    private init(_ raw: UnsafeMutablePointer<libraw_data_t>) {
        var (width, height): (Int32, Int32) = (0, 0)
        shim_raw_size(raw, &width, &height)
        size = PixelSize(width: Int(width), height: Int(height))
        tags = [:]
        tags[.make] = text(shim_raw_make(raw))
        tags[.model] = text(shim_raw_model(raw))
        tags[.lensModel] = text(shim_raw_lens(raw))
        tags[.dateTimeOriginal] = date(shim_raw_time(raw))
    }
}

private func text(_ words: UnsafePointer<CChar>?) -> String? {
    guard let words, words.pointee != 0 else { return nil }
    return String(cString: words)
}

/// As EXIF writes it.
///
/// libraw takes the camera's time for the machine's, which is UTC in here: so it comes out unshifted.
private func date(_ seconds: Int64) -> String? {
    var time = time_t(seconds)
    var parts = tm()
    guard seconds > 0, gmtime_r(&time, &parts) != nil else { return nil }
    var buffer = [CChar](repeating: 0, count: 32)
    strftime(&buffer, buffer.count, "%Y:%m:%d %H:%M:%S", &parts)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
