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
