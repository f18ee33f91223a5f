import CAVFormat
import Glibc

/// libav's view of one file, read through the descriptor that came with the request; frees all when let go.
final class MovieContext {
    private(set) var format: UnsafeMutablePointer<AVFormatContext>
    private let input: UnsafeMutablePointer<AVIOContext>
    private let reader: Unmanaged<MovieReader>
    private var isOpen = false

    init?(_ file: OpenedFile) {
        reader = Unmanaged.passRetained(MovieReader(file))
        // libav may exchange the buffer, and frees the present one with `avio_context_free` below.
        let buffer = av_malloc(bufferByteCount)?.assumingMemoryBound(to: UInt8.self)
        guard let buffer,
            let input = avio_alloc_context(
                buffer, Int32(bufferByteCount), 0, reader.toOpaque(), readPiece, nil, seekPlace),
            let format = avformat_alloc_context()
        else {
            reader.release()
            return nil
        }
        self.input = input
        self.format = format
        format.pointee.pb = input
        format.pointee.probesize = probeByteCount
        format.pointee.max_analyze_duration = Int64(5 * shim_av_time_base)
        format.pointee.max_streams = 64
        format.pointee.format_whitelist = av_strdup(formats)
    }

    /// Reads the header; why it cannot, or nil.
    func open() -> String? {
        var opened: UnsafeMutablePointer<AVFormatContext>? = format
        // A context that cannot be opened is freed by avformat_open_input itself.
        let code = avformat_open_input(&opened, nil, nil, nil)
        guard code >= 0, let opened else { return words(for: code) }
        isOpen = true
        format = opened
        // What it cannot find out stays unknown.
        _ = avformat_find_stream_info(opened, nil)
        return nil
    }

    /// The first packet of the first stream of that coding; nil where none comes soon.
    func firstPacket(codec: AVCodecID) -> [UInt8]? {
        guard let packet = av_packet_alloc() else { return nil }
        defer {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
        }
        for _ in 0..<64 where av_read_frame(format, packet) >= 0 {
            defer { av_packet_unref(packet) }
            guard let stream = format.pointee.streams[Int(packet.pointee.stream_index)],
                stream.pointee.codecpar.pointee.codec_id == codec
            else { continue }
            return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
        }
        return nil
    }

    deinit {
        if isOpen {
            var opened: UnsafeMutablePointer<AVFormatContext>? = format
            avformat_close_input(&opened)
        }
        av_free(input.pointee.buffer)
        var input: UnsafeMutablePointer<AVIOContext>? = input
        avio_context_free(&input)
        reader.release()
    }
}

/// What phones, cameras and programs write; no playlist, no protocol, no subtitle, no game.
private let formats = "mov,mp4,m4a,3gp,3g2,mj2,matrox,matroska,webm,avi,mpegts,mpeg,asf,flv,live_flv,ogg,mxf"
private let bufferByteCount = 32_768
private let probeByteCount: Int64 = 8 << 20

private func words(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    av_strerror(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Where libav stands in the file.
private final class MovieReader {
    let file: OpenedFile
    var place: Int64 = 0

    init(_ file: OpenedFile) { self.file = file }
}

private func reader(_ opaque: UnsafeMutableRawPointer?) -> MovieReader? {
    opaque.map { Unmanaged<MovieReader>.fromOpaque($0).takeUnretainedValue() }
}

private func readPiece(
    _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int32
) -> Int32 {
    guard let reader = reader(opaque), let buffer else { return shim_av_io_error }
    let count = pread(reader.file.descriptor, buffer, Int(capacity), off_t(reader.place))
    guard count != 0 else { return shim_av_end_of_file }
    guard count > 0 else { return shim_av_io_error }
    reader.place += Int64(count)
    return Int32(count)
}

private func seekPlace(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let reader = reader(opaque) else { return Int64(shim_av_io_error) }
    let place: (Int64, Bool)
    switch whence & ~AVSEEK_FORCE {
    case shim_av_asks_size: return reader.file.byteCount
    case SEEK_SET: place = (offset, false)
    case SEEK_CUR: place = reader.place.addingReportingOverflow(offset)
    case SEEK_END: place = reader.file.byteCount.addingReportingOverflow(offset)
    default: return Int64(shim_av_io_error)
    }
    guard !place.1, place.0 >= 0 else { return Int64(shim_av_io_error) }
    reader.place = place.0
    return place.0
}
