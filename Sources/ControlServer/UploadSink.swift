package import Control

/// Where the bytes of an upload go.
///
/// Of `finish` and `abort` exactly one is called, once, after the last `write`.
package protocol UploadSink: Sendable {
    /// Takes the next bytes. May block: it runs on a thread made for that, one call at a time.
    ///
    /// False is "no more, please": the rest is read and dropped, and `finish` says why.
    func write(_ bytes: [UInt8]) -> Bool
    /// Every byte has come: makes the answer.
    func finish() async -> Response
    /// The client went away, was silent for too long, or the server stops: forget what came. May block.
    func abort()
}

/// What is said of an upload when its head has come and no byte of it.
package enum UploadDecision: Sendable {
    case accept(any UploadSink)
    case refuse(Response)
}
