import CLinux
import Glibc
import MediaFacts

/// The socket to the daemon: frames come in with a descriptor each, and go out.
struct Channel {
    let socket: Int32

    /// Whether it was started by a daemon.
    var isThere: Bool {
        var status = stat()
        return fstat(socket, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// The next request with its descriptor, or -1; nil where the daemon has hung up, or does not speak as agreed.
    func receive() -> (WorkerRequest, Int32)? {
        var descriptor: Int32 = -1
        guard let header = bytes(Frame.headerByteCount, &descriptor),
            let count = Frame.contentByteCount(header: header, limit: Frame.requestLimit),
            let content = bytes(count, &descriptor),
            // What cannot be understood ends the worker: the daemon that is beside it speaks as it does.
            let request = try? Frame.message(WorkerRequest.self, in: content)
        else { return nil }
        return (request, descriptor)
    }

    /// Sends an answer; the daemon that is no more is seen by the next `receive`.
    func send(_ answer: WorkerAnswer) {
        let frame = frame(of: answer)
        _ = linux_send(socket, frame, frame.count, -1)
    }

    private func frame(of answer: WorkerAnswer) -> [UInt8] {
        guard let frame = try? Frame.bytes(of: answer), frame.count <= Frame.answerLimit else {
            let fault = WorkerAnswer.unreadable("what it says of itself cannot be told, or is too long")
            // Encoding a short text cannot fail.
            return (try? Frame.bytes(of: fault)) ?? []
        }
        return frame
    }

    private func bytes(_ count: Int, _ descriptor: inout Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var place = 0
        while place < count {
            var received: Int32 = -1
            let read = bytes.withUnsafeMutableBufferPointer { buffer in
                linux_receive(socket, buffer.baseAddress.map { $0 + place }, count - place, &received)
            }
            if received >= 0 { descriptor = received }
            guard read > 0 else { return nil }
            place += read
        }
        return bytes
    }
}
