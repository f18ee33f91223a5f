import Glibc
import MediaFacts

/// The whole life of the worker: load, lock in, say so, answer until the daemon hangs up.
///
/// Returns the exit status. Whatever a library crashes of ends this process, and the daemon starts another. Started by
/// hand, without a socket, it says what the lock refuses here, and ends.
func runWorker() -> Int32 {
    let channel = Channel(socket: 3)
    let libraries = Libraries()
    guard channel.isThere else { return showTheLock() }
    if let refusal = lockIn() {
        channel.send(.cannotLockIn(refusal))
        return 1
    }
    channel.send(.isLockedIn)
    while let (request, descriptor) = channel.receive() {
        let answer = answer(request, descriptor, libraries)
        // First: whoever has the answer may want the file for itself alone (fcntl(2), F_SETLEASE).
        if descriptor >= 0 { close(descriptor) }
        channel.send(answer)
    }
    return 0
}

private func answer(_ request: WorkerRequest, _ descriptor: Int32, _ libraries: Libraries) -> WorkerAnswer {
    switch request {
    case .tryTheLock: return .refusals(refusals())
    case .readFacts(let format):
        guard descriptor >= 0 else { return .unreadable("no file came with the request") }
        allowProcessorTime()
        return FactsReader(file: OpenedFile(descriptor), format: format, libraries: libraries).read()
    }
}

private func showTheLock() -> Int32 {
    if let refusal = lockIn() {
        say("albumd-media cannot lock itself in: \(refusal)\n")
        return 1
    }
    let refusals = refusals().sorted { $0.key < $1.key }
    let holes = refusals.filter { $0.value == 0 }.map(\.key)
    say("albumd-media has locked itself in. Refused: \(refusals.map(\.key).joined(separator: ", "))\n")
    if !holes.isEmpty { say("NOT refused: \(holes.joined(separator: ", "))\n") }
    return holes.isEmpty ? 0 : 1
}

private func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
