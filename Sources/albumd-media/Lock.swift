import CLinux
import Glibc

/// Gives up everything but the memory, the socket and the descriptors that come over it (RULES S3).
///
/// Returns why that was not possible, else nil. Every library is loaded by now: none can be loaded afterwards.
func lockIn() -> String? {
    // Landlock binds the thread that asks for it, and those that it starts.
    guard threadCount == 1 else { return "a library has started a thread" }
    let steps: [(String, () -> Int32)] = [
        ("its privileges", linux_give_up_privileges),
        ("its resources", { linux_limit_resources(addressSpaceLimit, descriptorLimit) }),
        ("its paths", linux_give_up_paths),
        ("its system calls", linux_filter_calls),
    ]
    for (what, giveUp) in steps where giveUp() != 0 {
        return "giving up \(what): \(String(cString: strerror(errno)))"
    }
    return nil
}

/// Decoding a picture of 50 megapixels fits, a bomb does not.
private let addressSpaceLimit: UInt64 = 512 << 20
/// Standard input, output and error, the socket, the file, and copies that libraries make of it.
private let descriptorLimit: UInt64 = 16

/// As long as the daemon waits for one file.
private let secondsForOneFile: UInt64 = 30

/// Lets the process use as much time again as one file may take.
func allowProcessorTime() {
    // Where it fails, the limit of the file before stands, and the daemon's clock.
    _ = linux_allow_processor_seconds(secondsForOneFile)
}

private var threadCount: Int {
    guard let directory = opendir("/proc/self/task") else { return 1 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
        if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
    }
    return count
}

/// Tries every kind of call that the lock refuses, and gives the errno of each.
func refusals() -> [String: Int32] {
    var refusals: [String: Int32] = [:]
    var code: Int32 = 0
    var index: Int32 = 0
    while let name = linux_try_call(index, &code) {
        refusals[String(cString: name)] = code
        index += 1
    }
    return refusals
}
