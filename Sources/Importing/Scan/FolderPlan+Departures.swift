import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// What would become of assets whose files are missing now, in a folder that mirrors deletions.
///
/// The rules are those of `ImportEngine+Departures`: the folder must be what it was, before the look and after it.
extension FolderPlan {
    /// `arriving` are the assets that keep a file, or get one, by what else was planned.
    func departures(
        arriving: Set<LocalIdentifier>, _ folderGuard: FolderGuard, _ catalogue: Catalogue
    ) throws -> [PlanItem] {
        guard let uuid = folder.folder, let known = try catalogue.folder(uuid), known.mirrors(folder.rule),
            case .online(let root) = folderGuard.look(at: known.path, known: known)
        else { return [] }
        let missing = try missingSources(of: uuid, beneath: root, catalogue, folderGuard.machine.files)
        guard case .online = folderGuard.look(at: known.path, known: known) else { return [] }
        let assets = try catalogue.assetsAbandoned(by: missing).filter { !arriving.contains($0.asset) }
        let massGuard = MassGuard(
            sourceCount: try catalogue.presentSourceCount(in: uuid),
            trashedWithinHour: try catalogue.trashedCount(
                byFolder: uuid, since: folderGuard.machine.now().addingTimeInterval(-3600)))
        let fate: PlanItem.Deletion = massGuard.allows(assets.count) ? .trash : .hold
        return assets.flatMap { asset in asset.sources.map { item($0, asset.asset, fate) } }
    }

    private func missingSources(
        of uuid: UUID, beneath root: OpenFile, _ catalogue: Catalogue, _ files: any FileVerbs
    ) throws -> Set<SourceKey> {
        var missing: Set<SourceKey> = []
        var last: PathBytes?
        while true {
            let page = try catalogue.sources(in: uuid, after: last, limit: 1000)
            missing.formUnion(
                page.filter { $0.isMappedAndPresent && isAbsent($0.key, beneath: root, files: files) }.map(\.key))
            last = page.last?.key.path
            guard page.count == 1000 else { return missing }
        }
    }

    private func item(_ key: SourceKey, _ asset: LocalIdentifier, _ fate: PlanItem.Deletion) -> PlanItem {
        var item = PlanItem(path: PathBytes(folder.rule.path).appending(key.path.bytes), mode: folder.rule.mode)
        (item.localIdentifier, item.deletion) = (asset, fate)
        item.detail = fate == .hold ? "so many within an hour wait for albumctl confirm" : "to Recently Deleted"
        return item
    }
}
