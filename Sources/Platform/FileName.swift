extension [UInt8] {
    /// Whether these bytes are one component of a path: not empty, not `.` or `..`, without a slash and without NUL.
    package var isFileName: Bool {
        !isEmpty && !contains(UInt8(ascii: "/")) && !contains(0) && self != [dot] && self != [dot, dot]
    }

    /// The path of `name` below this one; `name` itself where this path is empty.
    package func appending(_ name: [UInt8]) -> [UInt8] {
        guard let last else { return name }
        return last == UInt8(ascii: "/") ? self + name : self + [UInt8(ascii: "/")] + name
    }
}

private let dot = UInt8(ascii: ".")
