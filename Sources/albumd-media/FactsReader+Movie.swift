import MediaContainers
import MediaFacts

/// Movies, and animations that are stored as one, by libav.
extension FactsReader {
    mutating func readMovie() {
        switch MovieFile.read(file) {
        case .success(let movie):
            // Of a movie nobody counts frames; of an animation they tell it from a still.
            let isPicture = format == "avif" || format == "heic" || format == "heif"
            change { facts in
                facts.codedSize = movie.size
                facts.containerOrientation = movie.orientation
                facts.frameCount = isPicture ? movie.frameCount : nil
                facts.duration = movie.duration
                facts.videoStream = movie.video
                facts.hasAudio = movie.hasAudio
                facts.add(movie.tags)
            }
            let keys = MovieKeys(in: file.bytes)
            change { $0.add(keys.tags) }
        case .failure(let refusal): note(fault: "libav: \(refusal.reason)")
        }
    }
}
