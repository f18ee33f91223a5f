package import FoundationEssentials
package import PhotoModel

/// `POST /v1/safe`: may these files be erased? Asked by what they are, never by what they are called.
package struct SafetyRequest: Codable, Sendable, Equatable {
    package static let limit = 500

    /// At most 500.
    package var files: [SafetyQuestion]

    package init(files: [SafetyQuestion]) { self.files = files }
}

/// One file that its asker has read to its end.
package struct SafetyQuestion: Codable, Sendable, Equatable {
    package var sha256: ContentHash
    package var byteCount: Int64
    /// Absolute; it tells whether the file lies in a folder that mirrors deletions.
    package var path: String?
    package var pathBase64: String?
    /// Of stat(2): the same file by whatever path.
    package var device: UInt64?
    package var inode: UInt64?

    package init(sha256: ContentHash, byteCount: Int64, path: PathBytes?, device: UInt64? = nil, inode: UInt64? = nil) {
        (self.sha256, self.byteCount, self.device, self.inode) = (sha256, byteCount, device, inode)
        guard let path else { return }
        let name = Name(path)
        if name.base64 == nil { self.path = name.text }
        pathBase64 = name.base64
    }
}

/// Why a file may not be erased: the closed list.
package enum UnsafeReason: String, Codable, Sendable, CaseIterable {
    // what albumd says
    case unknown
    case notStored
    case missing
    case corrupt
    case ioError
    case trashed
    case inCloud
    case inTrashFolder
    case isOriginal
    case otherLibrary
    case catalogueDiffers
    // what albumctl says
    case unreadable
    case changed
    case symlink
    case notRegular
    case otherFileSystem
    case tooDeep
}

/// The answer for one file.
package struct SafetyRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier?
    package var path: String?
    package var pathBase64: String?
    package var isSafe: Bool
    package var reason: UnsafeReason?
    package var detail: String?
    package var fix: String?
    package var sha256: ContentHash?
    package var byteCount: Int64?
    /// Where the stored original is, below the library.
    package var original: String?
    /// The titles of the asset's albums.
    package var albums: [String]
    package var creationDate: Date?

    package init(path: PathBytes?) {
        let name = path.map { Name($0) }
        (self.path, pathBase64) = (name?.text, name?.base64)
        isSafe = false
        albums = []
    }

    package mutating func refuse(_ reason: UnsafeReason, _ detail: String, fix: String? = nil) {
        (isSafe, self.reason, self.detail, self.fix) = (false, reason, detail, fix)
    }
}
