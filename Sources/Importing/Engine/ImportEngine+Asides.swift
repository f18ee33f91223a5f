import PhotoModel
import PhotoStore
import Platform

/// What a crash left of a removal, of ours or of another program that removes as we do: it has its name again, and is
/// then a file like any other, which is imported, removed or left by its folder's rule.
extension ImportEngine {
    func giveBackAsides() throws {
        let now = machine.uptime()
        let due = asides.due(now: now)
        guard !due.isEmpty else { return }
        var roots = RootsOfStep(self)
        for key in due {
            guard let root = try roots.root(of: key.folder) else {
                _ = asides.failed(key, nil, now: now)
                continue
            }
            do throws(FileError) { try giveBackAside(key, beneath: root) } catch {
                guard asides.failed(key, error, now: now) else { continue }
                machine.log(.error, "a file that a removal had left set aside cannot have its name: \(error)")
            }
        }
    }

    func giveBackAside(_ key: SourceKey, beneath root: OpenFile) throws(FileError) {
        do throws(FileError) {
            let directory = try machine.files.openDirectory(key.path.directory.bytes, beneath: root)
            let aside = SetAside(left: key.path.name.bytes, in: directory, files: machine.files)
            if let name = try aside?.giveBack() {
                let path = key.path.directory.appending(name)
                machine.log(
                    .notice, "a file that a removal had left set aside has a name again",
                    ["path": printable(path.bytes)])
                lookAgain(SourceKey(folder: key.folder, path: path))
            }
        } catch {
            guard error.isAbsence else { throw error }
        }
        asides.forget(key)
    }

    /// After a removal that was refused its file has its name again: no news of the file but its time of change.
    func noteNameGivenBack(to source: Source, beneath root: OpenFile) throws {
        guard let status = try? machine.files.status(at: source.key.path.bytes, in: root),
            let evidence = source.evidence, evidence.changed != status.changed,
            evidence.isSameFile(as: SourceEvidence(status))
        else { return }
        namesGivenBack[source.key] = status.changed
        var row = source
        row.isReleased = true
        row.evidence?.changed = status.changed
        _ = try record([row])
    }

    /// Whether the watcher tells of that.
    func isNameGivenBack(_ key: SourceKey, in folder: FolderState) -> Bool {
        guard !namesGivenBack.isEmpty, let changed = namesGivenBack.removeValue(forKey: key),
            case .online(let root) = folderGuard.look(at: folder.path, known: folder.registration)
        else { return false }
        return (try? machine.files.status(at: key.path.bytes, in: root))?.changed == changed
    }
}
