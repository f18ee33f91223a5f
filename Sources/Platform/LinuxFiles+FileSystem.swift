import CLinux
import Glibc

/// The file system under a directory (statfs(2)).
extension LinuxFiles {
    package func fileSystem(of directory: OpenFile) throws(FileError) -> FileSystemFacts {
        var facts = linux_file_system()
        try result(of: "fstatfs") { linux_file_system(directory.descriptor, &facts) }
        return FileSystemFacts(
            kind: kind(facts.type),
            freeBytes: bytes(facts.free_units, of: facts.unit),
            totalBytes: bytes(facts.total_units, of: facts.unit),
            isReadOnly: facts.is_read_only,
            identity: try identity(of: directory, facts),
            syncsWhole: [Magic.ext4, Magic.xfs, Magic.btrfs].contains(facts.type))
    }

    private func kind(_ magic: UInt32) -> FileSystemFacts.Kind {
        if let name = remoteNames[magic] { return .remote(name) }
        return kernelNames[magic].map { .kernel($0) } ?? .local
    }

    /// ID_FS_UUID as udev knows it, else f_fsid where that is made from the UUID (RULES R29).
    private func identity(of directory: OpenFile, _ facts: linux_file_system) throws(FileError) -> [UInt8]? {
        if let uuid = udevUUID(ofDevice: try status(of: directory).device) { return Array("uuid:".utf8) + uuid }
        let isIdentity = [Magic.ext4, Magic.btrfs].contains(facts.type) && facts.identifier != 0
        return isIdentity ? Array("fsid:\(String(facts.identifier, radix: 16))".utf8) : nil
    }

    /// Nil where udev does not run (a container) or does not know the device (an anonymous one, as btrfs has).
    private func udevUUID(ofDevice device: UInt64) -> [UInt8]? {
        let name = "b\(linux_major(device)):\(linux_minor(device))"
        // Whatever stands in the way, the identity is unknown by this road.
        guard let folder = try? openDirectory(Array("/run/udev/data".utf8)),
            let file = try? openForReading(Array(name.utf8), beneath: folder),
            let text = try? readAll(file)
        else { return nil }
        let key = Array("E:ID_FS_UUID=".utf8)
        return text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }
            .map { Array($0.dropFirst(key.count)) }
    }

    /// A udev record is a few kilobytes; what lies beyond 64 KiB is not looked at.
    private func readAll(_ file: OpenFile) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = try result(of: "pread") { pread(file.descriptor, &bytes, bytes.count, 0) }
        return Array(bytes.prefix(count))
    }
}

/// Magic numbers of statfs(2) and linux/magic.h.
private enum Magic {
    /// Ext2, ext3 and ext4 share it.
    static let ext4: UInt32 = 0xEF53
    static let xfs: UInt32 = 0x5846_5342
    static let btrfs: UInt32 = 0x9123_683E
}

private let remoteNames: [UInt32: String] = [
    0x6969: "nfs", 0x517B: "smb", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb2", 0x0102_1997: "9p",
    0x6573_5546: "fuse", 0x00C3_6400: "ceph", 0x5346_414F: "afs",
]

private let kernelNames: [UInt32: String] = [
    0x9FA0: "proc", 0x6265_6572: "sysfs", 0x0027_E0EB: "cgroup", 0x6367_7270: "cgroup2", 0x1CD1: "devpts",
    0x6462_6720: "debugfs", 0x7472_6163: "tracefs", 0x7363_6673: "securityfs", 0xCAFE_4A11: "bpf",
    0x1980_0202: "mqueue", 0x6265_6570: "configfs", 0x9584_58F6: "hugetlbfs", 0x6165_676C: "pstore",
    0xDE5E_81E4: "efivarfs", 0x4249_4E4D: "binfmt_misc", 0xF97C_FF8C: "selinuxfs", 0x6E73_6673: "nsfs",
    0x6573_5543: "fusectl", 0x6759_6969: "rpc_pipefs", 0x6E66_7364: "nfsd",
]

/// The product, or the most that can be said.
private func bytes(_ units: UInt64, of unit: UInt64) -> Int64 {
    let (product, overflow) = units.multipliedReportingOverflow(by: unit)
    return overflow ? .max : Int64(clamping: product)
}
