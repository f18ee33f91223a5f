/// A file that says something of another file, and is no picture itself.
package enum SidecarKind: String, Sendable, Codable, CaseIterable {
    /// Adobe's XMP, as darktable, Lightroom and others write it beside a picture.
    case xmp
    /// The JSON that Google Takeout puts beside each file.
    case takeout
    /// Apple's adjustment data (`.AAE`): how a picture was edited.
    case adjustment

    /// What it is among an asset's resources.
    package var resourceType: ResourceType {
        switch self {
        case .xmp: .xmpSidecar
        case .takeout: .takeoutSidecar
        case .adjustment: .adjustmentData
        }
    }
}
