import Glibc
import Platform
import TestSupport

/// What the kernel says of a process that runs (proc(5)).
struct ProcessFacts {
    let pid: pid_t

    /// The most memory that it ever held at once.
    var peakBytes: Int64? { line("VmHWM:", of: "status").flatMap { Int64($0.filter(\.isNumber)) }.map { $0 << 10 } }

    /// Its descriptors by number, each with what it names.
    var descriptors: [Int: String] {
        let files = LinuxFiles()
        guard let directory = try? files.openDirectory(Array("/proc/\(pid)/fd".utf8)),
            let entries = try? files.list(directory)
        else { return [:] }
        let numbers = entries.compactMap { Int(String(decoding: $0.name, as: UTF8.self)) }
        return Dictionary(uniqueKeysWithValues: numbers.map { ($0, target(of: $0)) })
    }

    var inotifyDescriptor: Int? { descriptors.first { $0.value == "anon_inode:inotify" }?.key }

    /// Watches that the kernel holds for it, whatever it believes itself.
    var watches: Int? {
        inotifyDescriptor.map { text("fdinfo/\($0)").split(separator: "\n").count { $0.hasPrefix("inotify wd:") } }
    }

    private func line(_ name: String, of file: String) -> Substring? {
        text(file).split(separator: "\n").first { $0.hasPrefix(name) }
    }

    private func text(_ file: String) -> String {
        (try? PosixProgram().read("/proc/\(pid)/\(file)")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func target(of number: Int) -> String {
        var target = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/\(pid)/fd/\(number)", &target, target.count)
        return String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
