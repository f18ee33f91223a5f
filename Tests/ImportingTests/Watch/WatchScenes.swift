import Glibc
import Platform

extension Scratch {
    /// Makes `w/tree` twelve levels deep with a file on each, and renames its third level on the way.
    func growAndRename(tree: Int) throws {
        var path = "w/\(tree)"
        try makeDirectory(path)
        try write(path + "/0.jpg")
        for level in 1..<12 {
            path += "/\(level)"
            try makeDirectory(path)
            try write(path + "/\(level).jpg")
            if level == 5 || level == 9 {
                let moved = level == 5 ? "w/\(tree)/1/2/renamed" : "w/\(tree)/1/2/again"
                let third = path.split(separator: "/").prefix(5).joined(separator: "/")
                try rename(third, moved)
                path = ([moved] + path.split(separator: "/").dropFirst(5).map(String.init)).joined(separator: "/")
            }
        }
    }

    /// The files below a directory, by their paths from there.
    func files(below name: String) throws -> Set<String> {
        let files = LinuxFiles()
        var found: Set<String> = []
        func look(_ directory: OpenFile, _ prefix: String) throws {
            for entry in try files.list(directory) {
                let path = prefix + String(decoding: entry.name, as: UTF8.self)
                if entry.kind == .directory {
                    try look(try files.openDirectory(entry.name, beneath: directory), path + "/")
                } else {
                    found.insert(path)
                }
            }
        }
        try look(try files.openDirectory(path(name)), "")
        return found
    }
}

/// What the kernel counts: the `inotify` lines of this process's descriptors in proc(5).
func inotifyWatchesOfThisProcess() -> Int {
    let files = LinuxFiles()
    guard let directory = try? files.openDirectory(Array("/proc/self/fdinfo".utf8)),
        let entries = try? files.list(directory)
    else { return -1 }
    var count = 0
    for entry in entries {
        guard let file = try? files.openForReading(entry.name, beneath: directory),
            let text = try? readBytes(file, files: files, at: 0, count: 1 << 20)
        else { continue }
        count += text.split(separator: 0x0A).count { $0.starts(with: Array("inotify wd:".utf8)) }
    }
    return count
}

func inotifyDescriptorsOfThisProcess() -> [Int32] {
    (0..<1024 as Range<Int32>).filter { number in
        var target = [CChar](repeating: 0, count: 64)
        return readlink("/proc/self/fd/\(number)", &target, 63) == 18
            && target.starts(with: "anon_inode:inotify".utf8.map { CChar($0) })
    }
}
