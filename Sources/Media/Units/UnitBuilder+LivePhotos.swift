import PhotoModel

/// Live Photos: Apple writes one content identifier into the picture and into its movie.
extension UnitBuilder {
    private static let slot = "movie"

    /// Of several with one identifier those of one name go together first, then those of one directory, then any.
    ///
    /// A name alone proves nothing: `IMG_1234` of another camera, or of the same one after 10,000 pictures.
    mutating func linkLivePhotos(among indices: [Int]) {
        let identified = Dictionary(grouping: indices.filter { hosts[$0] == nil }) { files[$0].facts.contentIdentifier }
        for (identifier, members) in identified.sorted(by: { ($0.value.first ?? 0) < ($1.value.first ?? 0) }) {
            guard let identifier, members.count > 1 else { continue }
            let pictures = members.filter { files[$0].isPicture }
            let movies = members.filter { files[$0].isVideo }
            pair(pictures, movies, identifier) { $0.place }
            pair(pictures, movies, identifier) { $0.directory }
            pair(pictures, movies, identifier) { _ in true }
            noteLeftOver(pictures, movies)
        }
    }

    private mutating func pair<Near: Hashable>(
        _ pictures: [Int], _ movies: [Int], _ identifier: String, by near: (CandidateFile) -> Near
    ) {
        let free = pictures.filter { !isTaken($0, slot: Self.slot) }
        // A RAW comes after the picture that was developed from it.
        let ordered = free.filter { !files[$0].isRAW } + free.filter { files[$0].isRAW }
        var waiting = Dictionary(grouping: ordered.reversed()) { near(files[$0]) }
        for movie in movies where hosts[movie] == nil {
            guard let picture = waiting[near(files[movie])]?.popLast() else { continue }
            link(movie, to: picture, .contentIdentifier(identifier), slot: Self.slot)
        }
    }

    private mutating func noteLeftOver(_ pictures: [Int], _ movies: [Int]) {
        guard let picture = pictures.first, let movie = movies.first else { return }
        for other in movies where hosts[other] == nil { miss(other, picture, .companionTaken) }
        for other in pictures where !isTaken(other, slot: Self.slot) && !files[other].isRAW {
            miss(other, movie, .companionTaken)
        }
    }
}
