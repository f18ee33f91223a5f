import Glibc

/// Which directory a descriptor really is: its mount, and its path in what is mounted there.
extension LinuxFiles {
    package func place(of directory: OpenFile) -> DirectoryPlace? {
        guard let path = readLink("/proc/self/fd/\(directory.descriptor)"), let mount = mount(of: directory) else {
            return nil
        }
        let point = mount.point == [slash] ? [] : mount.point
        guard path.starts(with: point) else { return nil }
        let root = mount.root == [slash] ? [] : mount.root
        let rest = path.dropFirst(point.count)
        return DirectoryPlace(device: mount.device, path: root + (rest.elementsEqual([slash]) ? [] : rest))
    }

    private struct Mount {
        var device: [UInt8]
        /// What of the file system is mounted.
        var root: [UInt8]
        /// Where it is mounted.
        var point: [UInt8]
    }

    /// Fields 1 to 5: the mount's number, its parent's, the device, the root, the mount point.
    private func mount(of directory: OpenFile) -> Mount? {
        guard let number = mountNumber(of: directory) else { return nil }
        for line in readProc("/proc/self/mountinfo").split(separator: newline) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count == 6, fields[0].elementsEqual(number) else { continue }
            return Mount(device: Array(fields[2]), root: unescaped(fields[3]), point: unescaped(fields[4]))
        }
        return nil
    }

    private func mountNumber(of directory: OpenFile) -> ArraySlice<UInt8>? {
        let label = Array("mnt_id:\t".utf8)
        return readProc("/proc/self/fdinfo/\(directory.descriptor)").split(separator: newline)
            .first { $0.starts(with: label) }?.dropFirst(label.count)
    }

    /// Spaces, tabs, newlines and backslashes stand as octal numbers there.
    private func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), field)
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return bytes
    }

    private func readLink(_ path: String) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? buffer.prefix(count).map { UInt8(bitPattern: $0) } : nil
    }

    /// Files of proc have no size: they are read until they end.
    private func readProc(_ path: String) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = Glibc.read(descriptor, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }
}

private let slash = UInt8(ascii: "/")
private let newline = UInt8(ascii: "\n")
