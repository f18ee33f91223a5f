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

    /// Reads it as the importer would: by what its bytes say it is.
    func read(_ entry: Corpus.Entry, _ recogniser: MediaRecogniser) throws -> FactsReading? {
        try withScratchFolder { scratch in
            try PosixProgram().write(Array(scratch.path("a").utf8), entry.bytes)
            return read(try file(at: scratch.path("a")), entry, recogniser)
        }
    }

    private func read(_ file: OpenFile, _ entry: Corpus.Entry, _ recogniser: MediaRecogniser) -> FactsReading? {
        if entry.format == "XMP" { return worker.readSidecar(file) }
        switch recogniser.recognise(FileEnds(head: entry.bytes, byteCount: Int64(entry.bytes.count)), name: entry.name)
        {
        case .media(let kind), .unknownMedia(let kind): return worker.readFacts(of: file, kind)
        case .notMedia: return nil
        }
    }
}
