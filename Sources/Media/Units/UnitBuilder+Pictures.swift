import PhotoModel

/// RAW and picture of one shutter, and the edit of a picture.
extension UnitBuilder {
    /// One name in one directory, one second, one camera: all four, or they stay apart.
    mutating func linkRAW(among indices: [Int]) {
        let pictures = indices.filter { files[$0].isPicture }
        for members in Dictionary(grouping: pictures, by: { files[$0].place }).values where members.count > 1 {
            let developed = members.filter { !files[$0].isRAW }.sorted { rank($0) < rank($1) }.prefix(16)
            for raw in members where files[raw].isRAW && hosts[raw] == nil {
                linkFirst(raw, to: Array(developed), .sameShutter, slot: "raw") {
                    $0.facts.doubtOfSameShutter(as: $1.facts)
                }
            }
        }
    }

    /// `IMG_E1234` beside `IMG_1234`: so iOS names an edit that it hands out together with its original.
    ///
    /// Other seconds or another camera would be another photo of that number.
    mutating func linkEdits(among indices: [Int]) {
        let media = indices.filter { files[$0].kind != nil }
        let places = Dictionary(grouping: media) { files[$0].place }
        for edit in media where hosts[edit] == nil {
            guard let stem = files[edit].name.stem.numberedName(without: "E") else { continue }
            let place = CandidateFile.Place(directory: files[edit].directory, stem: stem)
            let isVideo = files[edit].isVideo
            let originals = (places[place] ?? []).filter { files[$0].isVideo == isVideo }.sorted { rank($0) < rank($1) }
            linkFirst(edit, to: Array(originals.prefix(16)), .edit, slot: "edit") {
                $0.facts.doubtOfEdit(of: $1.facts)
            }
        }
    }

    /// Links to the first that nothing speaks against; the near misses before it are noted only where there is none.
    private mutating func linkFirst(
        _ companion: Int, to candidates: [Int], _ pairing: Pairing, slot: String,
        doubt: (CandidateFile, CandidateFile) -> NearMiss.Reason?
    ) {
        for host in candidates where !isTaken(host, slot: slot) && doubt(files[companion], files[host]) == nil {
            if link(companion, to: host, pairing, slot: slot) { return }
        }
        for host in candidates.prefix(1) {
            miss(companion, host, doubt(files[companion], files[host]) ?? .companionTaken)
        }
    }

    /// JPEG first, then HEIF, then others, RAW last.
    private func rank(_ index: Int) -> (Int, Int) {
        switch files[index].kind {
        case .jpeg: (0, index)
        case .heic, .heif: (1, index)
        case let kind?: (kind.isRAW ? 3 : 2, index)
        case nil: (4, index)
        }
    }
}

extension AssetFacts {
    /// Nil where the shutter opened once for both.
    fileprivate func doubtOfSameShutter(as other: AssetFacts) -> NearMiss.Reason? {
        guard let mine = camerasDate, let theirs = other.camerasDate, let model = camera?.model,
            let otherModel = other.camera?.model, let isSameSecond = mine.agrees(with: theirs)
        else { return .notEnoughFacts }
        guard isSameSecond else { return .otherCaptureDate }
        return isOneModel(model, otherModel) ? nil : .otherCamera
    }

    /// Nil where nothing says that they are two photos.
    fileprivate func doubtOfEdit(of other: AssetFacts) -> NearMiss.Reason? {
        if let mine = camerasDate, let theirs = other.camerasDate, mine.agrees(with: theirs) == false {
            return .otherCaptureDate
        }
        guard let model = camera?.model, let otherModel = other.camera?.model else { return nil }
        return isOneModel(model, otherModel) ? nil : .otherCamera
    }

    /// A date that the camera wrote when it took the picture: not a program's, and not a movie's header, which is
    /// written anew with every copy.
    private var camerasDate: CaptureDate? {
        guard let date = captureDate, date.source.isInFile, date.source != .dateTime, date.source != .movieCreationTime
        else { return nil }
        return date
    }
}

/// Readers of RAW leave the maker out: `EOS 6D` is `Canon EOS 6D`.
private func isOneModel(_ one: String, _ other: String) -> Bool {
    let (one, other) = (one.lowercased(), other.lowercased())
    return one == other || one.hasSuffix(" \(other)") || other.hasSuffix(" \(one)")
}
