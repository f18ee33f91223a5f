/// A verb of an object store that failed: how, and what the store said.
package struct ObjectStoreError: Error, Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The store answered, and there is no such object (404). The only answer that can ever mean "gone" (RULES R42).
        case notFound
        /// The store answered, and we may not (401, 403).
        case forbidden
        /// The store answered that it cannot take such a request (400, a key that is too long).
        case refused
        /// The store could not be reached.
        case unreachable
        /// It did not answer in time, or the bytes stopped coming.
        case timedOut
        /// It wants fewer requests (429, 503 SlowDown).
        case throttled
        /// It failed (500, 502, 503).
        case unavailable
        /// There is no room (507, a quota).
        case quotaExceeded
        /// The bytes that arrived are not those that were declared: the caller looks at its own first.
        case checksumMismatch
        /// The bytes to be sent could not be read here.
        case bodyUnreadable
        /// The caller wants it no longer.
        case cancelled
    }

    package var kind: Kind
    /// For a person: what the store or the machine said.
    package var detail: String
    /// When the store wants to be asked again (RFC 9110, section 10.2.3), where it said so.
    package var retryAfter: Duration?

    package init(_ kind: Kind, _ detail: String, retryAfter: Duration? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// Whether the same may succeed later without anybody doing anything here: else a person, or the caller, has to.
    package var isRetryable: Bool {
        switch kind {
        case .unreachable, .timedOut, .throttled, .unavailable, .quotaExceeded: true
        case .notFound, .forbidden, .refused, .checksumMismatch, .bodyUnreadable, .cancelled: false
        }
    }
}

extension ObjectStoreError: CustomStringConvertible {
    package var description: String { "\(kind.rawValue): \(detail)" }
}
