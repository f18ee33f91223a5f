extension [UInt8] {
    /// Whether these bytes are one component of a path: not empty, not `.` or `..`, without a slash and without NUL.
    package var isFileName: Bool {
        !isEmpty && !contains(UInt8(ascii: "/")) && !contains(0) && self != [dot] && self != [dot, dot]
    }
}

private let dot = UInt8(ascii: ".")
