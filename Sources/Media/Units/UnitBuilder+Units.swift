import PhotoModel

/// From links to units.
extension UnitBuilder {
    func units() -> [MediaUnit] {
        let groups = Dictionary(grouping: files.indices) { root(of: $0) }
        return groups.sorted { $0.key < $1.key }.map { root, members in unit(root, members) }
    }

    private func unit(_ root: Int, _ members: [Int]) -> MediaUnit {
        let companions = members.filter { $0 != root }.map { index in
            UnitResource(file: files[index].key, type: type(of: index), pairing: hosts[index]?.pairing)
        }
        let own = files[root].sidecar.map(Pairing.sidecar)
        var resources = [UnitResource(file: files[root].key, type: type(of: root), pairing: own)]
        resources += companions.sorted { ($0.type.rawValue, $0.file) < ($1.type.rawValue, $1.file) }
        if files[root].isPicture, let movie = files[root].facts.embeddedMovie,
            !resources.contains(where: { $0.type == .pairedVideo })
        {
            resources.append(
                UnitResource(file: files[root].key, type: .pairedVideo, span: movie, pairing: .sameFile))
        }
        return MediaUnit(resources: resources, awaited: awaited(by: root, resources))
    }

    private func awaited(by root: Int, _ resources: [UnitResource]) -> AwaitedCompanion? {
        if let kind = files[root].sidecar { return .described(kind) }
        guard let identifier = files[root].facts.contentIdentifier else { return nil }
        if files[root].isVideo { return .picture(contentIdentifier: identifier) }
        return resources.contains { $0.type == .pairedVideo } ? nil : .movie(contentIdentifier: identifier)
    }

    /// What a file is in its unit, by its link and by what its host is.
    func type(of index: Int) -> ResourceType {
        guard let link = hosts[index] else { return ownType(of: index) }
        switch link.pairing {
        case .contentIdentifier, .sameFile:
            return type(of: link.host) == .fullSizePhoto ? .fullSizePairedVideo : .pairedVideo
        case .sameShutter: return .alternatePhoto
        case .edit where files[index].isVideo:
            return type(of: link.host) == .pairedVideo ? .fullSizePairedVideo : .fullSizeVideo
        case .edit: return .fullSizePhoto
        case .sidecar(let kind): return kind.resourceType
        case .settled: return link.type ?? ownType(of: index)
        }
    }

    private func ownType(of index: Int) -> ResourceType {
        files[index].sidecar?.resourceType ?? (files[index].isVideo ? .video : .photo)
    }

    /// An asset has one resource of a type, sidecars aside: what comes second by its links is an asset of its own.
    ///
    /// What goes is never a file of an asset that there is already: where two of its own would be one type by what came
    /// to it, it is that which goes. Each turn but the last unlinks something, so that the turns end.
    mutating func separateDuplicates() {
        while separatesDuplicates() {}
    }

    private mutating func separatesDuplicates() -> Bool {
        var (seen, hasChanged) = (Set<[Int]>(), false)
        let media = files.indices.filter { files[$0].kind != nil }
        for index in media.filter(isSettled) + media.filter({ !isSettled($0) }) {
            let root = root(of: index)
            guard !seen.insert([root, type(of: index).rawValue]).inserted else { continue }
            let last = isSettled(index) ? endOfSettled(index) : index
            guard hosts[last] != nil else { continue }
            hasChanged = true
            miss(last, root, .companionTaken)
            unlink(last)
        }
        return hasChanged
    }

    /// The last file on the way to the root that is of the same asset.
    private func endOfSettled(_ index: Int) -> Int {
        var index = index
        while let host = hosts[index]?.host, isSettled(host) { index = host }
        return index
    }
}
