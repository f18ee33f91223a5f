package import PhotoModel
package import Platform

/// What stands under an original's name, looked at now.
package struct StoredBytes: Sendable, Equatable {
    package enum Finding: Sendable, Equatable {
        /// They are there with their size and, where they were read, their hash.
        case sound
        /// They are there with their hash, and are so many, where the catalogue has another number: it is what is wrong.
        case misstated(byteCount: Int64)
        case missing
        case corrupt
        /// They cannot be read now: no proof that they are gone, but nobody can use them (RULES R5).
        case unreadable(FileError)
        /// The look was ended before it knew.
        case stopped
    }

    package var finding: Finding
    /// What the file was when it was looked at; nil where none could be opened.
    package var status: FileStatus?

    /// What the catalogue has to say of it; nil where nothing is known.
    ///
    /// What cannot be read is written down as corrupt, so that status says it until it can be read again.
    package var condition: Condition? {
        switch finding {
        case .sound, .misstated: .sound
        case .missing: .missing
        case .corrupt: .corrupt
        case .unreadable(let error): error.isShortage ? nil : .corrupt
        case .stopped: nil
        }
    }

    /// Whether they are those of the hash, whatever the catalogue says of their number.
    package var areRight: Bool {
        switch finding {
        case .sound, .misstated: true
        case .missing, .corrupt, .unreadable, .stopped: false
        }
    }
}

/// Called when so many bytes were read: it may wait, and says whether to go on.
package typealias Pace = @Sendable (_ byteCount: Int) -> Bool

extension Originals {
    /// Looks at a stored original: its size, and its hash where it is to be read, or where the size is another.
    ///
    /// Blocks. A size alone says nothing: the catalogue's may be what is wrong.
    package func look(at content: Content, reading: Bool, pace: Pace = { _ in true }) -> StoredBytes {
        var seen: FileStatus?
        do throws(FileError) {
            let file = try open(content)
            let status = try machine.files.status(of: file)
            seen = status
            guard status.kind == .regular else { return StoredBytes(finding: .corrupt, status: status) }
            let isAsLong = status.byteCount == content.byteCount
            guard reading || !isAsLong else { return StoredBytes(finding: .sound, status: status) }
            guard let hash = try hash(of: file, pace: pace) else { return StoredBytes(finding: .stopped) }
            guard hash == content.hash else { return StoredBytes(finding: .corrupt, status: status) }
            return StoredBytes(
                finding: isAsLong ? .sound : .misstated(byteCount: status.byteCount), status: status)
        } catch  where error.isAbsence {
            return StoredBytes(finding: .missing)
        } catch {
            return StoredBytes(finding: .unreadable(error), status: seen)
        }
    }

    /// The same without a byte of it.
    private func glance(at content: Content) -> StoredBytes {
        do throws(FileError) {
            return StoredBytes(finding: .sound, status: try machine.files.status(of: try open(content)))
        } catch {
            return StoredBytes(finding: error.isAbsence ? .missing : .unreadable(error))
        }
    }

    /// Whether a look still says what is so: the file under the name is the one that was looked at, and unchanged.
    func stillStands(_ look: StoredBytes, of content: Content) -> Bool {
        let now = glance(at: content)
        switch look.finding {
        case .missing: return now.finding == .missing
        case .sound, .misstated, .corrupt: return isSame(look.status, now.status)
        case .unreadable: return look.status == nil ? now.finding == look.finding : isSame(look.status, now.status)
        case .stopped: return false
        }
    }

    private func isSame(_ before: FileStatus?, _ after: FileStatus?) -> Bool {
        guard let before, let after else { return false }
        return after.hasSameContentEvidence(as: before)
    }

    /// The hash of a file, nil where `pace` ended it.
    func hash(of file: OpenFile, pace: Pace) throws(FileError) -> ContentHash? {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
        defer { piece.deallocate() }
        var hasher = ContentHasher()
        var offset: Int64 = 0
        while true {
            let count = try machine.files.read(file, into: piece, at: offset)
            if count == 0 { return ContentHash(bytes: hasher.finish()) }
            hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            offset += Int64(count)
            machine.giveWay()
            guard pace(count) else { return nil }
        }
    }
}
