import Glibc
import Platform

/// What the program takes from its surroundings: the machine, the environment, the terminal.
struct Host: Sendable {
    var machine: Machine
    /// A variable of the environment, as bytes; nil where it is unset or empty.
    var variable: @Sendable (String) -> [UInt8]?
    /// Whether stderr is a terminal that a progress line may be drawn on.
    var isTerminal: Bool
    /// The absolute path of this program.
    var executable: [UInt8]
    /// The line that a person types at the terminal; nil where stdin is none.
    var answer: @Sendable () -> String? = { nil }

    static func live() -> Host {
        Host(
            machine: .live(log: .silent),
            variable: { name in
                guard let value = getenv(name), value.pointee != 0 else { return nil }
                return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
            },
            isTerminal: isatty(STDERR_FILENO) == 1,
            executable: linkTarget("/proc/self/exe"),
            answer: { isatty(STDIN_FILENO) == 1 ? readLine() : nil })
    }

    /// Where a symlink points to; empty where it cannot be read (readlink(2)).
    private static func linkTarget(_ path: String) -> [UInt8] {
        let target = [CChar](unsafeUninitializedCapacity: 4096) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = max(0, readlink(path, start, buffer.count))
        }
        return target.map { UInt8(bitPattern: $0) }
    }
}
