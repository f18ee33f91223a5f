import Glibc
import MediaContainers

/// The file that was handed over, read by offset: its place, which libraries share, does not matter.
struct OpenedFile {
    let descriptor: Int32
    let byteCount: Int64

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var status = stat()
        byteCount = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// At most `count` bytes at `offset`; fewer at the end, or where the disk gives no more.
    func read(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                guard let rest = buffer.baseAddress.map({ $0 + filled }) else { return }
                let read = pread(descriptor, rest, count - filled, off_t(offset) + off_t(filled))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { return }
                filled += read
            }
        }
    }

    var bytes: FileBytes { FileBytes(byteCount: byteCount, read: read) }
}
