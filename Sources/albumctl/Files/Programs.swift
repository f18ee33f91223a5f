import Glibc
import Platform

/// Becomes another program (execv(3)); returns only where that is not possible, and says why.
func becomeProgram(_ program: [UInt8], _ arguments: [[UInt8]]) -> FileError {
    withVector([program] + arguments) { vector in
        _ = program.withTerminated { execv($0, vector) }
        return FileError(code: errno, verb: "execv")
    }
}

/// Runs a program to its end and returns what it wrote on both its outputs (posix_spawn(3)).
func runProgram(
    _ program: [UInt8], _ arguments: [[UInt8]]
) throws(FileError) -> (status: Int32, output: [UInt8]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FileError(code: errno, verb: "pipe") }
    defer { close(ends[0]) }
    let (code, process) = spawn(program, arguments, output: ends)
    close(ends[1])
    guard code == 0 else { throw FileError(code: code, verb: "posix_spawn") }
    let output = readToEnd(of: ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // WIFEXITED and WEXITSTATUS (wait(2)); what a signal ended has failed.
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : 1, output)
}

private func spawn(_ program: [UInt8], _ arguments: [[UInt8]], output: [Int32]) -> (code: Int32, process: pid_t) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output[1], STDERR_FILENO)
    for end in output { posix_spawn_file_actions_addclose(&actions, end) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of Dispatch block every signal, and a child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    let code = withVector([program] + arguments) { vector in
        program.withTerminated { posix_spawn(&process, $0, &actions, &attributes, vector, environ) }
    }
    return (code, process)
}

private func readToEnd(of descriptor: Int32) -> [UInt8] {
    var (output, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
        let count = read(descriptor, &piece, piece.count)
        if count > 0 { output += piece.prefix(count) } else if count == 0 || errno != EINTR { return output }
    }
}

/// Calls `body` with the arguments as C wants them, a nil at their end.
private func withVector<Result>(
    _ arguments: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var vector = arguments.map { $0.withTerminated { strdup($0) } }
    vector.append(nil)
    defer { for argument in vector { free(argument) } }
    return vector.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("a vector with its nil is never empty") }
        return body(start)
    }
}
