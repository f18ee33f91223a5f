import Control
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A catalogue that is rebuilt from a journal that ends in half a line (RULES R8, R49).
    @BlockingThread struct TornJournals {
        /// The one photo whose line is torn away is an orphan: no start forgets it before a person has decided.
        @Test(arguments: [true, false]) func whatATornJournalNamedIsSaidUntilItIsKeptOrLetGo(isKept: Bool) throws {
            try withAlbumd(isStarted: false, test: "kept \(isKept)") { albumd in
                // A cloud would have the change, and say that it is a later library's.
                try albumd.installation.writeConfiguration("[cloud]\nengine = \"none\"\n")
                try #require(try albumd.start() == nil)
                try albumd.dropPictures(0..<2)
                try albumd.flush()
                let torn = try albumd.drop("torn.jpg", SampleMedia.jpeg(100))
                try albumd.flush()
                #expect(try albumd.stop() == .code(0))
                let journal = albumd.installation.library + "/journal/"
                let month = journal + (try #require(try names(in: journal).first))
                // Torn in the middle of the line that names it, whatever was read of it since.
                let lines = try albumd.other.read(month)
                let name = try #require(lines.firstRange(of: Array(torn.hash.hexadecimal.utf8)))
                try albumd.other.write(month, Array(lines[..<name.upperBound]))
                unlink(albumd.installation.library + "/catalogue.sqlite")
                try albumd.other.unlink(torn.path)
                for start in 0..<3 {
                    try #require(try albumd.start() == nil)
                    try albumd.flush()
                    let found = try albumd.albumctl("verify")
                    #expect(found.output.contains("albumctl save the copy"), "\(found.output)")
                    let status = try albumd.status()
                    #expect(status.orphanCount == 1 && status.problems.count == 1, "start \(start): \(status.summary)")
                    #expect(status.problems.first?.fix.contains("albumctl save the copy") == true)
                    if start < 2 { #expect(try albumd.stop() == .code(0)) }
                }
                if isKept {
                    let copy = try albumd.drop("copy.jpg", torn.bytes, in: "run")
                    #expect(try albumd.albumctl("save", copy.path).code == 0)
                } else {
                    #expect(try albumd.albumctl("repair", "--discard-orphans", "--yes").code == 0)
                }
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.stop() == .code(0))
                try #require(try albumd.start() == nil)
                #expect(try albumd.albumctl("verify").code == 0)
                #expect(try albumd.status().assetCount == (isKept ? 3 : 2) && !albumd.status().isDegraded)
                #expect(access(albumd.installation.library + "/.rebuilt", F_OK) != 0)
            }
        }

        private func names(in directory: String) throws -> [String] {
            let files = LinuxFiles()
            return try files.list(files.openDirectory(Array(directory.utf8)))
                .map { String(decoding: $0.name, as: UTF8.self) }.sorted()
        }
    }
}
