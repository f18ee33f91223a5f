import PhotoModel

/// Files of one directory and one number: picture, movie, RAW, and the edits of each.
extension UnitBuilder {
    /// At most so many of one kind are looked at, for all are asked about all.
    private static let limit = 16

    var numberedPlaces: [[Int]] {
        let media = files.indices.filter { files[$0].kind != nil }
        return Dictionary(grouping: media) { files[$0].numberedPlace }.values.filter { $0.count > 1 }
            .sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    }

    /// Identifiers first, those of one name before those of an edit; then RAW, edits, and at last camera and moment.
    mutating func joinNumbered(_ members: [Int]) {
        let (pictures, movies) = divided(members)
        let files = files
        let isOfOne = { (movie: Int, picture: Int) in files[movie].sharesIdentifier(with: files[picture]) }
        join(movies, to: pictures) { files[$0].place == files[$1].place && isOfOne($0, $1) }
        join(movies, to: pictures, if: isOfOne)
        join(pictures.filter { files[$0].isRAW }, to: pictures) {
            files.isDeveloped($1, of: $0) && files[$0].doubtAsRAW(of: files[$1]) == nil
        }
        for kind in [movies, pictures] {
            join(kind, to: kind) {
                files[$0].isNamedAsEdit(of: files[$1].place) && files[$0].doubtAsEdit(of: files[$1]) == nil
            }
        }
        join(movies, to: pictures) { files[$0].doubtAsMovie(of: files[$1]) == nil }
    }

    private func divided(_ members: [Int]) -> (pictures: [Int], movies: [Int]) {
        let sorted = members.sorted { files.rank($0) < files.rank($1) }
        return (
            Array(sorted.filter { files[$0].isPicture }.prefix(Self.limit)),
            Array(sorted.filter { files[$0].isVideo }.prefix(Self.limit))
        )
    }

    private mutating func join(_ companions: [Int], to hosts: [Int], if areTied: (Int, Int) -> Bool) {
        for companion in companions {
            for host in hosts where companion != host && areTied(companion, host) { join(companion, to: host) }
        }
    }

    /// Why RAW and edits are apart from the pictures of their names, told of the nearest.
    mutating func noteApart(_ members: [Int]) {
        let (pictures, movies) = divided(members)
        for raw in pictures where files[raw].isRAW {
            let hosts = pictures.filter { files.isDeveloped($0, of: raw) }
            note(raw, apartFrom: hosts) { $0.doubtAsRAW(of: $1) }
        }
        for kind in [movies, pictures] {
            for edit in kind {
                let hosts = kind.filter { files[edit].isNamedAsEdit(of: files[$0].place) }
                note(edit, apartFrom: hosts) { $0.doubtAsEdit(of: $1) }
            }
        }
    }

    private mutating func note(
        _ companion: Int, apartFrom hosts: [Int], doubt: (CandidateFile, CandidateFile) -> NearMiss.Reason?
    ) {
        guard let host = hosts.first, !hosts.contains(where: { areTogether(companion, $0) }) else { return }
        miss(companion, host, doubt(files[companion], files[host]) ?? refusal(of: companion, by: host))
    }
}

extension [CandidateFile] {
    /// Whether a picture has the name of a RAW, and can have been developed from it.
    fileprivate func isDeveloped(_ picture: Int, of raw: Int) -> Bool {
        self[picture].isPicture && !self[picture].isRAW && self[picture].place == self[raw].place
    }
}
