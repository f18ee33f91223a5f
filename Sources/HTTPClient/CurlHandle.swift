import CCurl

/// An easy handle, with the connection that it keeps (libcurl-easy(3)).
///
/// One thread uses it at a time.
final class CurlHandle: Sendable {
    /// The pointer as bits: a handle may move between threads, so long as one at a time uses it.
    private let bits: UInt

    /// Nil where there is no memory.
    init?() {
        guard CurlHandle.isLibraryReady, let pointer = curl_easy_init() else { return nil }
        bits = UInt(bitPattern: pointer)
    }

    deinit { curl_easy_cleanup(pointer) }

    /// curl_global_init(3) is wanted once, before the first handle.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: bits) }

    /// Forgets all options and keeps the connection (curl_easy_reset(3)).
    func reset() { curl_easy_reset(pointer) }

    // Setting fails only for an option this libcurl does not know, or without memory; then the transfer fails and says so.
    func set(_ option: CURLoption, _ value: Int) { shim_curl_set_long(pointer, option, value) }
    func set(_ option: CURLoption, size: Int64) { shim_curl_set_size(pointer, option, curl_off_t(size)) }
    func set(_ option: CURLoption, _ value: String) { shim_curl_set_string(pointer, option, value) }
    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) {
        shim_curl_set_pointer(pointer, option, value)
    }
    func set(_ option: CURLoption, _ function: TransferFunction) { shim_curl_set_transfer(pointer, option, function) }

    /// Runs the transfer with these header lines (curl_easy_perform(3)).
    ///
    /// Blocks.
    func perform(headers: [String]) -> CURLcode {
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for header in headers { list = curl_slist_append(list, header) ?? list }
        shim_curl_set_list(pointer, CURLOPT_HTTPHEADER, list)
        return curl_easy_perform(pointer)
    }

    var status: Int { long(CURLINFO_RESPONSE_CODE) }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        shim_curl_get_long(pointer, info, &value)
        return value
    }

    static func message(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}

typealias TransferFunction =
    @convention(c) (
        UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int
