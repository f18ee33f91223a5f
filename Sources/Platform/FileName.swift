extension [UInt8] {
    /// Whether these bytes are one component of a path: not empty, not `.` or `..`, without a slash and without NUL.
    package var isFileName: Bool {
        // Asked for each entry of each listing.
        guard let first, let last, count > 2 || first != dot || last != dot else { return false }
        return !contains(UInt8(ascii: "/")) && !contains(0)
    }
}

private let dot = UInt8(ascii: ".")
