import FoundationEssentials
import Glibc
import Media
import Platform
import TestSupport

/// The real worker, with files of the corpus or of a scratch folder to hand it.
struct WorkerBench {
    let worker = MediaWorker(program: Array(builtProgram("albumd-media").utf8), uptime: { Machine.bootTime() })
    private let files = LinuxFiles()

    /// Nil, and a line printed, where the package was built without the worker's libraries.
    init?() {
        guard access(builtProgram("albumd-media"), X_OK) == 0 else {
            print("skipped: albumd-media was not built, for a library that it needs is missing")
            return nil
        }
    }

    func file(at path: String) throws -> OpenFile {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let directory = try files.openDirectory(Array(path[..<slash].utf8))
        return try files.openForReading(Array(path[path.index(after: slash)...].utf8), beneath: directory)
    }

    func file(of entry: Corpus.Entry) throws -> OpenFile {
        try file(at: Corpus.root.appending(path: entry.path).path())
    }

    /// Reads it as the importer would: by what its bytes say it is.
    func read(_ entry: Corpus.Entry, _ recogniser: MediaRecogniser) throws -> FactsReading? {
        if entry.format == "XMP" { return worker.readSidecar(try file(of: entry)) }
        switch recogniser.recognise(FileEnds(head: entry.bytes, byteCount: Int64(entry.bytes.count)), name: entry.name)
        {
        case .media(let kind), .unknownMedia(let kind): return worker.readFacts(of: try file(of: entry), kind)
        case .notMedia: return nil
        }
    }
}
