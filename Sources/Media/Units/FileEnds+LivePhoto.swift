import PhotoModel

extension FileEnds {
    /// Whether it is what Apple makes Live Photos of: a movie, HEIC, or a JPEG with Apple's maker note, which has the content
    /// identifier, where EXIF stands: at the beginning.
    package func isMadeForLivePhotos(_ kind: MediaKind) -> Bool {
        switch kind {
        case .heic, .heif: true
        case .jpeg: hasAppleNote
        default: kind.mediaType == .video
        }
    }

    private var hasAppleNote: Bool {
        let note = Array("Apple iOS".utf8)
        return head.prefix(1 << 14).withUnsafeBufferPointer { start in
            start.indices.dropLast(note.count).contains { index in
                start[index] == note[0] && start[index..<index + note.count].elementsEqual(note)
            }
        }
    }
}
