import FoundationEssentials
import Testing

/// A directory with the Makefile and programs that only say how they were called.
struct MakeClone {
    let path: String

    init(named name: String, in scratch: Scratch) throws {
        path = scratch.path + "/" + name
        for directory in ["/bin", "/.build/debug"] {
            try FileManager.default.createDirectory(atPath: path + directory, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(atPath: packageRoot + "Makefile", toPath: path + "/Makefile")
        for program in ["bin/swift", ".build/debug/albumd", ".build/debug/albumctl"] {
            try scratch.writeProgram("#!/bin/sh\nprintf 'started %s\\n' \"$*\"\n", to: name + "/" + program)
        }
    }

    func make(_ target: String, environment: String = "", as user: String = "") throws -> ShellAnswer {
        let search = "PATH=\(quoted(path + "/bin")):$PATH"
        let command = "\(search) \(environment) \(user) make \(target) </dev/null"
        return try shell("unset MAKEFLAGS MAKELEVEL; cd \(quoted(path)) && \(command)")
    }
}
