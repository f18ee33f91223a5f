import Platform

extension Visit {
    /// Tells the files of a directory where the walk is to, and sends the walk below.
    func tell(
        _ entries: [DirectoryEntry], of directory: OpenFile, at path: [UInt8], _ watch: Int32, _ placement: Placement,
        _ decoder: inout WatchDecoder
    ) {
        if entries.count > WatchBound.maximumEntries {
            decoder.tell(.beyondLimit(folder: job.folder, path: path, limit: .entries))
        }
        let touch = self.touch(placement)
        var below: [WalkJob.Step] = []
        for entry in entries.prefix(WatchBound.maximumEntries) {
            if isDirectory(entry, in: directory) {
                below.append(WalkJob.Step(parent: watch, name: entry.name))
            } else if let touch {
                decoder.tellTouched(job.folder, joined(path, entry.name), touch)
            }
            // A million files are told in parts (I36).
            if decoder.signals.count >= WatchDecoder.batchLimit { sink(decoder.takeSignals()) }
        }
        if placement != .new { detachVanished(below, watch, &decoder) }
        decoder.walks.push(below)
    }

    /// How the files of a directory are told; nil where they are not.
    private func touch(_ placement: Placement) -> Touch? {
        switch job.purpose {
        case .initial: nil
        case .rewatch: placement == .unchanged ? nil : .created
        case .appeared, .vacated: .created
        case .moved: .movedIn
        }
    }

    private func isDirectory(_ entry: DirectoryEntry, in directory: OpenFile) -> Bool {
        guard entry.kind == .unknown else { return entry.kind == .directory }
        // Gone already: told as a file, which is looked at again.
        return (try? files.status(at: entry.name, in: directory).kind) == .directory
    }

    /// Takes their place from directories that the table knows here and the listing does not.
    private func detachVanished(_ below: [WalkJob.Step], _ watch: Int32, _ decoder: inout WatchDecoder) {
        let names = Set(below.map(\.name))
        for child in decoder.table.childWatches(of: watch) {
            guard let name = decoder.table.name(of: child), !names.contains(name) else { continue }
            decoder.table.detach(child)
        }
    }
}
