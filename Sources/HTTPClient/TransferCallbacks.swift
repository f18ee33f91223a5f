import CCurl

// The callbacks of libcurl, on the thread that performs. The last argument is the transfer, unretained.

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

/// CURLOPT_HEADERFUNCTION.
func headerCame(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    transfer(context)?.take(headerLine: String(decoding: line, as: UTF8.self))
    return line.count
}

/// CURLOPT_WRITEFUNCTION: a number other than that of the bytes given ends the transfer.
func bodyCame(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.take(piece) == true ? piece.count : piece.count + 1
}

/// CURLOPT_READFUNCTION.
func bodyWanted(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.give(buffer) ?? Int(CURL_READFUNC_ABORT)
}
