import PhotoModel

/// Why a picture and a movie of one name are two assets.
extension UnitBuilder {
    mutating func noteNearMisses() {
        let media = files.indices.filter { files[$0].isPicture || files[$0].isVideo }
        let places = Dictionary(grouping: media) { files[$0].place }
        for movie in media where files[movie].isVideo {
            let pictures = (places[files[movie].place] ?? []).filter { files[$0].isPicture }
            guard let picture = pictures.first, !pictures.contains(where: { root(of: $0) == root(of: movie) }) else {
                continue
            }
            let identifiers = [files[picture], files[movie]].compactMap(\.facts.contentIdentifier)
            let areSame = identifiers.count == 2 && identifiers[0] == identifiers[1]
            if areSame { continue }
            miss(movie, picture, identifiers.count < 2 ? .noContentIdentifier : .otherContentIdentifier)
        }
    }
}
