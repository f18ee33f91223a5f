import Media
import PhotoModel
import Testing

@Suite struct CorpusTests {
    @Test func everyRealFileIsRecognised() throws {
        guard let entries = try Corpus.entries() else { return }
        let recogniser = try MediaRecogniser()
        for entry in entries where !entry.isBad && !entry.isSidecar {
            let verdict = recogniser.recognise(Sample.ends(entry.bytes), name: entry.name)
            guard case .media(let kind) = verdict else {
                Issue.record("\(entry.path): \(verdict)")
                continue
            }
            #expect(kind.mediaType == (entry.isVideo ? .video : .image), "\(entry.path): \(kind)")
        }
    }

    @Test func noSidecarIsMedia() throws {
        guard let entries = try Corpus.entries() else { return }
        let recogniser = try MediaRecogniser()
        for entry in entries where entry.isSidecar && !entry.isBad {
            let verdict = recogniser.recognise(Sample.ends(entry.bytes), name: entry.name)
            guard case .notMedia = verdict else {
                Issue.record("\(entry.path): \(verdict)")
                continue
            }
        }
    }

    @Test func damagedFilesAreMediaUnlessTheyHoldSomethingElse() throws {
        guard let entries = try Corpus.entries() else { return }
        let recogniser = try MediaRecogniser()
        let others = ["bad/2018-04-12_19_24_49.mov", "bad/fixture-json.webp", "bad/lfs-pointer-truncated.jpg"]
        for entry in entries where entry.isBad {
            let verdict = recogniser.recognise(Sample.ends(entry.bytes), name: entry.name)
            if case .notMedia = verdict {
                #expect(others.contains(entry.path), "\(entry.path): \(verdict)")
            } else {
                #expect(!others.contains(entry.path), "\(entry.path): \(verdict)")
            }
        }
    }

    @Test func theNameNeverChangesWhatARealFileIs() throws {
        guard let entries = try Corpus.entries() else { return }
        let recogniser = try MediaRecogniser()
        for entry in entries where !entry.isBad && !entry.isSidecar {
            let ends = Sample.ends(entry.bytes)
            #expect(
                recogniser.recognise(ends, name: entry.name) == recogniser.recognise(ends, name: Sample.ascii("x.txt")))
        }
    }

    @Test func realFilesAreNotCalledIncompleteUnlessTheyAre() throws {
        guard let entries = try Corpus.entries() else { return }
        let cut = ["motion-photos/non-motion-photo-shortened.jpg", "stills-other/ultrahdr.jpg", "video/Pentax.avi"]
        for entry in entries where !entry.isBad {
            let isIncomplete = Sample.completeness(entry.bytes) == .incomplete
            #expect(isIncomplete == cut.contains(entry.path), "\(entry.path)")
        }
    }

    @Test func halfARealFileIsNeverComplete() throws {
        guard let entries = try Corpus.entries() else { return }
        for entry in entries where !entry.isBad {
            for part in 1..<8 {
                let bytes = Array(entry.bytes.prefix(entry.bytes.count * part / 8))
                #expect(Sample.completeness(bytes) != .complete, "\(entry.path) at \(part)/8")
            }
        }
    }

    @Test(arguments: ["truncated.gif", "truncated.heic", "truncated.jpg", "truncated_image.png", "truncated_jpeg.jpg"])
    func truncatedFilesAreIncomplete(_ name: String) throws {
        guard let entry = try Corpus.entries()?.first(where: { $0.path == "bad/\(name)" }) else { return }
        #expect(Sample.completeness(entry.bytes) == .incomplete)
    }
}
