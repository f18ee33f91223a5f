import PhotoModel

/// Sidecars, by their names, in their own directory only.
extension UnitBuilder {
    mutating func joinSidecars() {
        let sidecars = files.indices.filter { files[$0].sidecar != nil && !isSettled($0) }
        guard !sidecars.isEmpty else { return }
        let directory = MediaDirectory(files, files.indices.filter { files[$0].kind != nil })
        for sidecar in sidecars {
            guard let kind = files[sidecar].sidecar, let name = SidecarName(files[sidecar].name), name.kind == kind
            else {
                continue
            }
            let candidates = directory.candidates(for: name, in: files[sidecar].directory)
            if let host = choose(among: candidates) {
                join(sidecar, to: host)
            } else if let other = candidates.first {
                miss(sidecar, other, .ambiguousName)
            }
        }
    }

    /// The one that is meant: any where they are one unit, else the only RAW, whose sidecars have taken its suffix's
    /// place since RAW converters came, else the only picture.
    private func choose(among candidates: [Int]) -> Int? {
        guard let first = candidates.first else { return nil }
        if candidates.allSatisfy({ areTogether($0, first) }) { return first }
        let raws = candidates.filter { files[$0].isRAW }
        if raws.count == 1 { return raws[0] }
        let pictures = candidates.filter { files[$0].isPicture }
        return pictures.count == 1 ? pictures[0] : nil
    }
}

/// Media files by directory and name.
private struct MediaDirectory {
    private let files: [CandidateFile]
    private let named: [SourceKey: Int]
    private let places: [CandidateFile.Place: [Int]]
    /// Sorted by place, as the builder's files are: the names of one directory stand together where none lies below it.
    private let media: [Int]

    init(_ files: [CandidateFile], _ media: [Int]) {
        self.files = files
        self.media = media
        named = Dictionary(uniqueKeysWithValues: media.map { (files[$0].key, $0) })
        places = Dictionary(grouping: media) { files[$0].place }
    }

    func candidates(for name: SidecarName, in directory: SourceKey) -> [Int] {
        if let takeout = name.takeout { return candidates(for: takeout, in: directory) }
        if let whole = file(name.wholeName, in: directory) { return [whole] }
        for stem in name.stems {
            if let found = places[.init(directory: directory, stem: stem)] { return found }
        }
        guard name.kind == .adjustment else { return [] }
        // The edit alone was handed out with its recipe.
        let edit = name.stems.compactMap { $0.starts(with: "IMG_".utf8) ? Array("IMG_E".utf8) + $0.dropFirst(4) : nil }
        return edit.lazy.compactMap { places[.init(directory: directory, stem: $0)] }.first ?? []
    }

    private func candidates(for name: TakeoutName, in directory: SourceKey) -> [Int] {
        if let whole = name.wholeNames.lazy.compactMap({ file($0, in: directory) }).first { return [whole] }
        guard let start = name.cutName else { return [] }
        let key = SourceKey(folder: directory.folder, path: directory.path.appending(start))
        let beginning = media.partitioningIndex { files[$0].key >= key }
        let longer = media[beginning...].prefix { index in
            let other = files[index].key
            return other.folder == key.folder && other.path.bytes.starts(with: key.path.bytes)
        }
        return longer.prefix(32).filter { files[$0].directory == directory }
    }

    private func file(_ name: [UInt8], in directory: SourceKey) -> Int? {
        named[SourceKey(folder: directory.folder, path: directory.path.appending(name))]
    }
}

extension [Int] {
    /// The first index whose element satisfies what all behind it do.
    fileprivate func partitioningIndex(_ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
