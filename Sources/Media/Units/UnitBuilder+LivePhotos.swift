import PhotoModel

/// Live Photos whose halves have other names: Apple writes one content identifier into the picture and into its movie.
extension UnitBuilder {
    /// Those of one directory first, then any; of one name and number they are together already.
    ///
    /// A name alone proves nothing: `IMG_1234` of another camera, or of the same one after 10,000 pictures.
    mutating func joinIdentified() {
        let media = files.indices.filter { files[$0].kind != nil && files[$0].facts.contentIdentifier != nil }
        let identified = Dictionary(grouping: media) { files[$0].facts.contentIdentifier }
        for members in identified.values.filter({ $0.count > 1 }).sorted(by: { ($0.first ?? 0) < ($1.first ?? 0) }) {
            let movies = members.filter { files[$0].isVideo }
            let pictures = members.filter { files[$0].isPicture }.sorted { files.rank($0) < files.rank($1) }
            join(movies, pictures) { $0.directory == $1.directory }
            join(movies, pictures) { _, _ in true }
            noteLeftOver(pictures, movies)
        }
    }

    private mutating func join(
        _ movies: [Int], _ pictures: [Int], near: (CandidateFile, CandidateFile) -> Bool
    ) {
        for movie in movies {
            for picture in pictures where near(files[movie], files[picture]) {
                guard !hasCompanion(movie, where: \.isPicture) else { break }
                if !hasCompanion(picture, where: \.isVideo) { join(movie, to: picture) }
            }
        }
    }

    private mutating func noteLeftOver(_ pictures: [Int], _ movies: [Int]) {
        guard let picture = pictures.first, let movie = movies.first else { return }
        for other in movies where !hasCompanion(other, where: \.isPicture) {
            miss(other, picture, refusal(of: other, by: picture))
        }
        for other in pictures where !hasCompanion(other, where: \.isVideo) && !files[other].isRAW {
            miss(other, movie, refusal(of: movie, by: other))
        }
    }
}
