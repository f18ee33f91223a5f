import PhotoModel

/// Which file of a unit is the companion of which: of several the one that is nearest by its name.
extension UnitLinks {
    /// An edit's movie comes to the original's movie, an edit's picture to the original's picture.
    mutating func linkEdits(among kind: (CandidateFile) -> Bool) {
        let candidates = members.filter { kind(files[$0]) }.sorted { files.rank($0) < files.rank($1) }
        for edit in candidates {
            let host = candidates.first { original in
                files[edit].isNamedAsEdit(of: files[original].place) && isFree(original, slot: "edit")
                    && isTied(edit, original) { $0.doubtAsEdit(of: $1) == nil }
            }
            if let host { link(edit, to: host, .edit, slot: "edit") }
        }
    }

    /// Of several with one identifier those of one name go together first, then those of one number, then those of one
    /// directory, then any; at last those of one camera and moment.
    mutating func linkLivePhotos() {
        let identified = { (movie: CandidateFile, picture: CandidateFile) -> Pairing? in
            movie.sharesIdentifier(with: picture) ? movie.facts.contentIdentifier.map(Pairing.contentIdentifier) : nil
        }
        linkMovies(identified) { $0.place == $1.place }
        linkMovies(identified) { $0.numberedPlace == $1.numberedPlace }
        linkMovies(identified) { $0.directory == $1.directory }
        linkMovies(identified) { _, _ in true }
        let momentary = { (movie: CandidateFile, picture: CandidateFile) -> Pairing? in
            movie.doubtAsMovie(of: picture) == nil ? .sameMoment : nil
        }
        linkMovies(momentary) { $0.place == $1.place }
        linkMovies(momentary) { $0.numberedPlace == $1.numberedPlace }
    }

    private mutating func linkMovies(
        _ pairing: (CandidateFile, CandidateFile) -> Pairing?, near: (CandidateFile, CandidateFile) -> Bool
    ) {
        let pictures = members.filter { files[$0].isPicture }.sorted { files.rank($0) < files.rank($1) }
        for movie in members where files[movie].isVideo {
            for picture in pictures where hosts[movie] == nil && near(files[movie], files[picture]) {
                guard let pairing = pairing(files[movie], files[picture]) else { continue }
                link(movie, to: picture, pairing, slot: "movie")
            }
        }
    }

    /// One name in one directory, and one second and camera or one identifier, or they stay apart.
    mutating func linkRAW() {
        let pictures = members.filter { files[$0].isPicture }.sorted { files.rank($0) < files.rank($1) }
        for raw in pictures where files[raw].isRAW {
            let host = pictures.first { picture in
                !files[picture].isRAW && files[picture].place == files[raw].place
                    && isTied(raw, picture) { $0.doubtAsRAW(of: $1) == nil }
            }
            if let host { link(raw, to: host, .sameShutter, slot: "raw") }
        }
    }

    /// Whether two are one photo's by what they say, or by others of one number that are surely both's.
    private func isTied(_ one: Int, _ other: Int, by rule: (CandidateFile, CandidateFile) -> Bool) -> Bool {
        if rule(files[one], files[other]) { return true }
        var (reached, next) = (Set([one]), [one])
        while let index = next.popLast() {
            for member in members where files[member].kind != nil && !reached.contains(member) {
                guard files[index].numberedPlace == files[member].numberedPlace,
                    files[index].isSurelyOne(with: files[member])
                else { continue }
                if member == other { return true }
                reached.insert(member)
                next.append(member)
            }
        }
        return false
    }
}

extension [CandidateFile] {
    /// Originals before edits; JPEG first, then HEIF, then others, RAW last.
    func rank(_ index: Int) -> (Int, Int, Int) {
        let file = self[index]
        let isEdit = file.place == file.numberedPlace ? 0 : 1
        return switch file.kind {
        case .jpeg: (isEdit, 0, index)
        case .heic, .heif: (isEdit, 1, index)
        case let kind?: (isEdit, kind.isRAW ? 3 : 2, index)
        case nil: (isEdit, 4, index)
        }
    }
}
