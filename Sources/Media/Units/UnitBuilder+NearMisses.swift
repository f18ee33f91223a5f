import PhotoModel

/// Why a picture and a movie of one name are two assets.
extension UnitBuilder {
    mutating func noteNearMisses() {
        let media = files.indices.filter { files[$0].isPicture || files[$0].isVideo }
        let places = Dictionary(grouping: media) { files[$0].place }
        for movie in media where files[movie].isVideo {
            let pictures = (places[files[movie].place] ?? []).filter { files[$0].isPicture }
            guard let picture = pictures.first, !pictures.contains(where: { areTogether($0, movie) }),
                let doubt = files[movie].doubtAsMovie(of: files[picture])
            else { continue }
            miss(movie, picture, doubt)
        }
    }
}
