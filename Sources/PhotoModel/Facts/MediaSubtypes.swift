/// PhotoKit's `PHAssetMediaSubtype`, with its bits; in JSON a list of names.
package struct MediaSubtypes: OptionSet, Hashable, Sendable {
    package var rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let panorama = MediaSubtypes(rawValue: 1 << 0)
    package static let hdr = MediaSubtypes(rawValue: 1 << 1)
    package static let screenshot = MediaSubtypes(rawValue: 1 << 2)
    package static let live = MediaSubtypes(rawValue: 1 << 3)
    package static let depthEffect = MediaSubtypes(rawValue: 1 << 4)
    package static let spatial = MediaSubtypes(rawValue: 1 << 10)
    package static let highFrameRate = MediaSubtypes(rawValue: 1 << 17)
    package static let timelapse = MediaSubtypes(rawValue: 1 << 18)
    package static let screenRecording = MediaSubtypes(rawValue: 1 << 19)
    package static let cinematic = MediaSubtypes(rawValue: 1 << 21)

    /// In the order of the bits.
    ///
    /// Photo animations and streamed videos are PhotoKit's alone: no file says that it is one.
    package static let named: [(name: String, subtype: MediaSubtypes)] = [
        ("panorama", .panorama), ("hdr", .hdr), ("screenshot", .screenshot), ("live", .live),
        ("depthEffect", .depthEffect), ("spatial", .spatial), ("highFrameRate", .highFrameRate),
        ("timelapse", .timelapse), ("screenRecording", .screenRecording), ("cinematic", .cinematic),
    ]

    package var names: [String] { Self.named.filter { contains($0.subtype) }.map(\.name) }
}

extension MediaSubtypes: Codable {
    /// Names that a newer albumd has written are passed over.
    package init(from decoder: any Decoder) throws {
        let names = Set(try decoder.singleValueContainer().decode([String].self))
        self = MediaSubtypes(Self.named.filter { names.contains($0.name) }.map(\.subtype))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}
