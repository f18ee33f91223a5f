import PhotoModel

/// From links to units.
extension UnitLinks {
    /// Nil where there are no files.
    var unit: MediaUnit? {
        guard let root = primary else { return nil }
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
}
