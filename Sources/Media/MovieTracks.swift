import MediaBytes

/// What the tracks of a movie carry, as far as the ends of the file show it.
///
/// A recorder and a podcast use the same container and often the same brand; only the handlers of the tracks
/// (ISO/IEC 14496-12, 8.4.3) tell them apart.
struct MovieTracks {
    private var handlers: Set<FourCC> = []
    private var sawAll = false

    init(in file: FileEnds) {
        let top = MovieTracks.children(of: 0, file.byteCount, in: file)
        guard let movie = top.boxes.first(where: { $0.type == "moov" }) else { return }
        let inMovie = MovieTracks.children(of: movie.content, movie.end, in: file)
        let tracks = inMovie.boxes.filter { $0.type == "trak" }
        let found = tracks.map { MovieTracks.handler(of: $0, in: file) }
        handlers = Set(found.compactMap { $0 })
        sawAll = inMovie.isWhole && !found.contains(nil)
    }

    /// Proven: every track was seen, there is sound, and nothing to look at.
    var isSoundOnly: Bool {
        sawAll && handlers.contains("soun") && handlers.isDisjoint(with: ["vide", "pict", "auxv"])
    }

    private static func handler(of track: Box, in file: FileEnds) -> FourCC? {
        guard let media = child("mdia", of: track, in: file), let handler = child("hdlr", of: media, in: file) else {
            return nil
        }
        return file.bytes(at: handler.content + 8, count: 4).map { FourCC($0) }
    }

    private static func child(_ type: FourCC, of box: Box, in file: FileEnds) -> Box? {
        children(of: box.content, box.end, in: file).boxes.first { $0.type == type }
    }

    /// The boxes between two offsets, at most 64; whole where the last one ends where it should.
    private static func children(of start: Int64, _ end: Int64, in file: FileEnds) -> (boxes: [Box], isWhole: Bool) {
        var boxes: [Box] = []
        var offset = start
        while boxes.count < 64, let box = file.box(at: offset, within: end) {
            boxes.append(box)
            offset = box.end
        }
        return (boxes, offset == end)
    }
}
