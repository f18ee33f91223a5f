import PhotoModel

/// Bursts: pictures with one burst identifier, each an asset of its own.
extension UnitBuilder {
    func stacks(of units: [MediaUnit]) -> [BurstStack] {
        let places = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1.key, $0) })
        let primaries = units.compactMap { places[$0.primary.file] }.filter { files[$0].isPicture }
        let bursts = Dictionary(grouping: primaries) { files[$0].facts.burstIdentifier }
        return bursts.compactMap { identifier, members in
            guard let identifier, members.count > 1 else { return nil }
            return stack(identifier, members.sorted { order($0) < order($1) })
        }.sorted { $0.burstIdentifier < $1.burstIdentifier }
    }

    /// By capture, what has no date last.
    private func order(_ index: Int) -> (Int64, Int) {
        let date = files[index].facts.captureDate?.creationDate.microseconds
        return (date ?? .max, index)
    }

    /// Android marks the cover in the name (`00001IMG_00001_BURST20190102030405_COVER.jpg`); else the first stands for
    /// all.
    private func stack(_ identifier: String, _ members: [Int]) -> BurstStack? {
        guard let first = members.first else { return nil }
        let cover = members.first { files[$0].name.stem.suffix(6).elementsEqual("_COVER".utf8) }
        return BurstStack(
            burstIdentifier: identifier, members: members.map { files[$0].key },
            representative: files[cover ?? first].key)
    }
}
