/// What can go wrong in recognising media: nothing about a file, only about the machine.
package enum MediaError: Error, Sendable, Equatable {
    /// libmagic cannot be used; its own words. Permanent until the machine is mended.
    case magicUnavailable(String)
}

extension MediaError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .magicUnavailable(let reason):
            "libmagic cannot load its database (\(reason)); install the package libmagic-mgc"
        }
    }
}
