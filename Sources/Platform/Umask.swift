import Glibc

/// The process's umask, read and not changed: umask(2) changes it for every thread, if only for a moment.
///
/// 0077 where the kernel does not say it (proc_pid_status(5), Linux 4.7).
package func currentUmask() -> UInt32 {
    let status = bytesOfProcessStatus()
    let label = Array("\nUmask:\t".utf8)
    guard let start = status.indices.first(where: { status[$0...].starts(with: label) }) else { return 0o077 }
    let digits = status[(start + label.count)...].prefix { $0 != UInt8(ascii: "\n") }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 8) ?? 0o077
}

private func bytesOfProcessStatus() -> [UInt8] {
    let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    // The line is the second one.
    return [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
}
