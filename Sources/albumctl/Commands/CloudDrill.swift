import Control
import Glibc
import PhotoModel
import Platform

/// A drill whose files a person gets: albumd never writes outside its library, so albumctl does.
struct CloudDrill {
    private let invocation: Invocation
    private let directory: PathBytes

    init(_ invocation: Invocation, into directory: PathBytes) {
        (self.invocation, self.directory) = (invocation, directory)
    }

    func run(_ request: CloudRequest) throws(Problem) -> ExitCode {
        let output = invocation.output
        var (counts, byteCount): ([String: Int], Int64) = ([:], 0)
        let rows = try sample(request)
        if rows.contains(where: { $0.outcome == .wouldRestore }) { try prepareDirectory() }
        for row in rows {
            let row = restore(row)
            counts[(row.outcome ?? .failed).rawValue, default: 0] += 1
            byteCount += row.outcome == .restored ? row.byteCount : 0
            if output.isJSON { output.json(JSON.encode(row)) } else { output.lines(originalLines(row)) }
        }
        if output.isJSON {
            output.json(JSON.encode(CloudLine.end(counts)))
        } else {
            let place = shown(Name(directory).text, Name(directory).base64)
            output.line(
                counts.isEmpty
                    ? "There is nothing to do." : "In all: \(listed(counts)), \(size(byteCount)) in \(place)")
        }
        return counts["failed"] == nil ? .done : .failed
    }

    /// Which originals albumd would take.
    private func sample(_ request: CloudRequest) throws(Problem) -> [CloudRow] {
        var request = request
        request.isDryRun = true
        var rows: [CloudRow] = []
        _ = try invocation.api.stream(.drillCloud, body: request, of: CloudLine.self) { rows.append($0) }
        return rows
    }

    /// One that fails stops no other.
    private func restore(_ row: CloudRow) -> CloudRow {
        var row = row
        do throws(Problem) {
            guard row.outcome == .wouldRestore, let asset = row.localIdentifier, let hash = row.sha256 else {
                return row
            }
            let path = path(of: row, hash)
            if try isThere(path, hash) {
                // What is tried is the cloud: the file is there already.
                try download(asset, hash, row, to: namelessFile(in: directory.bytes, machine: invocation.host.machine))
            } else {
                let file = try PartialFile(at: path, replaces: false, machine: invocation.host.machine)
                try download(asset, hash, row, to: file.file)
                try file.finish()
            }
            row.outcome = .restored
        } catch {
            (row.outcome, row.detail, row.fix) = (.failed, error.detail, error.fix)
        }
        return row
    }

    /// Makes the directory where it is not there, never those above it; what keeps files from it is said once.
    private func prepareDirectory() throws(Problem) {
        let files = invocation.host.machine.files
        do throws(FileError) {
            do throws(FileError) {
                _ = try files.openDirectory(directory.bytes)
            } catch  where error.code == ENOENT {
                let above = directory.directory.bytes
                let parent = try files.openDirectory(above.isEmpty ? [UInt8(ascii: "/")] : above)
                try files.makeDirectory(directory.name.bytes, in: parent)
            }
        } catch {
            throw .failed("\(error)", fix: "name a directory that is there, or a new one in such a directory")
        }
        do throws(Problem) {
            _ = try namelessFile(in: directory.bytes, machine: invocation.host.machine)
        } catch {
            throw .failed(error.detail, fix: "name a directory that you may write to")
        }
    }

    /// Whether a drill before this left the file; other bytes under its name are never replaced.
    private func isThere(_ path: PathBytes, _ hash: ContentHash) throws(Problem) -> Bool {
        let files = invocation.host.machine.files
        let fix = "move it away, or name another directory"
        do throws(FileError) {
            let parent = try files.openDirectory(directory.bytes)
            let file = try files.openForReading(path.name.bytes, beneath: parent)
            let isFile = try files.status(of: file).kind == .regular
            if isFile, ContentHash(bytes: try ContentHasher.hash(file: file, files: files)) == hash { return true }
        } catch  where error.code == ENOENT {
            return false
        } catch {
            throw .failed("\(error)", fix: fix)
        }
        throw .failed("'\(printable(path.bytes))' is there already, with other bytes", fix: fix)
    }

    private func download(
        _ asset: LocalIdentifier, _ hash: ContentHash, _ row: CloudRow, to file: OpenFile
    ) throws(Problem) {
        let line = ProgressLine(invocation.output, uptime: invocation.host.machine.uptime, tellsPipes: true)
        defer { line.clear() }
        try invocation.api.download(
            .getCopy, asset, query: ["version": hash.hexadecimal], to: file.descriptor
        ) { received, _ in
            line.show { "\(size(received)) of \(size(row.byteCount))" }
        }
        guard try albumctl.hash(of: file, files: invocation.host.machine.files) == hash else {
            throw .failed("the bytes that came have another hash", fix: "albumctl cloud verify \(asset)")
        }
    }

    /// Named by its hash: names of photos may be the same.
    private func path(of row: CloudRow, _ hash: ContentHash) -> PathBytes {
        let parts = (row.originalFilename ?? "").split(separator: ".")
        let suffix = parts.count > 1 ? parts.last.map { $0.utf8.filter(isPlain).prefix(8) } ?? [] : []
        let name = Array(hash.hexadecimal.utf8) + (suffix.isEmpty ? [] : [UInt8(ascii: ".")] + suffix)
        return PathBytes(directory.bytes + [UInt8(ascii: "/")] + name)
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
