import Glibc
import Platform

/// Tries for up to two seconds to get what another albumd holds: the library, or the socket.
///
/// One that was killed holds them until the kernel has ended it: kill(2) returns, the next albumd starts, its flock(2)
/// is refused, and only then are the files of the dead one closed. Every other error is thrown at once.
func patiently<Value>(_ machine: Machine, _ attempt: () throws -> Value) throws -> Value {
    let end = machine.uptime() + .seconds(2)
    let never = Monitor(false)
    while true {
        do {
            return try attempt()
        } catch  where Daemon.exitCode(of: error) == EX_UNAVAILABLE && machine.uptime() < end {
            _ = never.wait(for: .milliseconds(50)) { $0 ? () : nil }
        }
    }
}
