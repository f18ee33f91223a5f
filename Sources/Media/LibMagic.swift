import CMagic
import Synchronization

/// libmagic's opinion of a file's first bytes, for what no signature of ours decides (libmagic(3)).
///
/// One handle, used by one thread at a time, as the library demands. Its decompressors and its parsers of executables,
/// archives, OLE documents, JSON and CSV stay off: they read hostile bytes and say nothing of pictures.
final class LibMagic: Sendable {
    private let handle: Mutex<Handle>

    init() throws(MediaError) {
        let handle = try Handle()
        try handle.load()
        self.handle = Mutex(handle)
    }

    /// The media type, without parameters, or nil where libmagic fails: a file that upsets it is an undecided file.
    func mimeType(of head: [UInt8]) -> String? {
        handle.withLock { $0.mimeType(of: head) }
    }
}

/// Owns the C handle.
private struct Handle: ~Copyable {
    private let cookie: magic_t

    init() throws(MediaError) {
        let flags =
            MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_ELF | MAGIC_NO_CHECK_TAR | MAGIC_NO_CHECK_CDF
            | MAGIC_NO_CHECK_APPTYPE | MAGIC_NO_CHECK_TOKENS | MAGIC_NO_CHECK_JSON | MAGIC_NO_CHECK_CSV
        guard let cookie = magic_open(flags) else { throw .magicUnavailable("out of memory") }
        self.cookie = cookie
    }

    borrowing func load() throws(MediaError) {
        guard magic_load(cookie, nil) == 0 else {
            throw .magicUnavailable(magic_error(cookie).map { String(cString: $0) } ?? "unknown error")
        }
        limit(MAGIC_PARAM_BYTES_MAX, to: FileEnds.windowByteCount)
        limit(MAGIC_PARAM_ENCODING_MAX, to: FileEnds.windowByteCount)
        limit(MAGIC_PARAM_INDIR_MAX, to: 15)
        limit(MAGIC_PARAM_NAME_MAX, to: 50)
        limit(MAGIC_PARAM_REGEX_MAX, to: 4096)
    }

    deinit { magic_close(cookie) }

    borrowing func mimeType(of head: [UInt8]) -> String? {
        let bytes = head.prefix(FileEnds.windowByteCount)
        return bytes.withUnsafeBytes { magic_buffer(cookie, $0.baseAddress, $0.count) }.map { String(cString: $0) }
    }

    /// A limit that this libmagic does not know keeps its default, which is bounded too.
    private borrowing func limit(_ parameter: Int32, to value: Int) {
        var value = value
        magic_setparam(cookie, parameter, &value)
    }
}
