package import FoundationEssentials
package import MediaFacts
package import PhotoModel

/// Everything that the facts of one file are judged by.
package struct FactEvidence: Sendable {
    package var kind: MediaKind
    /// What the worker read; nothing where it could not.
    package var file: FileFacts
    /// The last component of the path; nil where the caller made it up.
    package var name: [UInt8]?
    /// The file's modification time, nil where it says nothing: of an upload.
    package var modified: Date?
    /// The tags of the XMP sidecar, as the worker read them.
    package var xmpSidecar: [Tag: String]
    package var takeoutSidecar: TakeoutSidecar?
    /// When it is judged: a capture date well after it is not believed.
    package var now: Date

    package init(
        kind: MediaKind, file: FileFacts, name: [UInt8]?, modified: Date?, xmpSidecar: [Tag: String] = [:],
        takeoutSidecar: TakeoutSidecar? = nil, now: Date
    ) {
        self.kind = kind
        self.file = file
        self.name = name
        self.modified = modified
        self.xmpSidecar = xmpSidecar
        self.takeoutSidecar = takeoutSidecar
        self.now = now
    }
}

extension AssetFacts {
    /// Judges one file with its sidecars: the file's own word comes first, sidecars fill what it lacks, XMP before
    /// Takeout.
    package init(judging evidence: FactEvidence) {
        self.init(playbackStyle: .unsupported)
        readBytes(of: evidence)
        (title, caption) = (evidence.file.tags.title, evidence.file.tags.caption)
        (keywords, rating) = (evidence.file.tags.keywords, evidence.file.tags.rating)
        (location, isFavorite) = (evidence.file.tags.location, evidence.file.tags.isFavorite)
        fill(from: evidence.xmpSidecar)
        if let takeout = evidence.takeoutSidecar { fill(from: takeout, besides: evidence.name) }
        (captureDate, passedOverDates) = evidence.judgedDate
        noteSourceOfDate()
    }

    private mutating func readBytes(of evidence: FactEvidence) {
        let file = evidence.file
        orientation = file.shownOrientation
        let size = file.shownSize
        (pixelWidth, pixelHeight) = (size?.width, size?.height)
        duration = file.duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        frameRate = file.videoStream?.frameRate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        codec = file.videoStream?.codec
        (camera, exposure) = (file.tags.camera, file.tags.exposure)
        burstIdentifier = file.tags.text(.appleBurstUUID) ?? file.tags.text(.burstID)
        contentIdentifier =
            file.tags.text(.appleContentIdentifier) ?? file.tags.text(.quickTimeContentIdentifier)
        embeddedMovie = evidence.kind.mediaType == .image ? file.trailingMovie.flatMap(EmbeddedMovie.init) : nil
        mediaSubtypes = MediaSubtypes(of: file, evidence.kind.mediaType)
        playbackStyle = PlaybackStyle(of: file, evidence.kind, isLive: mediaSubtypes.contains(.live))
        faults = file.faults
    }

    private mutating func noteSourceOfDate() {
        switch captureDate?.source {
        case .xmpSidecar: filledBySidecar[.captureDate] = .xmp
        case .takeoutSidecar: filledBySidecar[.captureDate] = .takeout
        default: return
        }
    }
}

extension EmbeddedMovie {
    fileprivate init?(_ span: ByteSpan) {
        guard span.offset > 0, span.count > 0 else { return nil }
        self.init(offset: span.offset, byteCount: span.count)
    }
}
