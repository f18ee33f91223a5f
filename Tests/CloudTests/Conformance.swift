import Cloud
import FoundationEssentials
import PhotoModel
import Platform
import Testing

/// What every engine must do, whatever it is made of: each check gets an empty store.
enum Conformance: String, CaseIterable, CustomTestStringConvertible {
    case aPutIsReadBackByteForByte
    case aPutReplacesWhatWasThere
    case otherBytesThanDeclaredAreRefusedAndNothingIsStored
    case anEmptyObjectIsAnObject
    case whatIsNotThereIsNotFound
    case aDeleteTakesAllVersionsAndMayComeTwice
    case aReadBeginsWhereItIsTold
    case aListHasTheKeysOfAPrefixInOrderAndGoesOn
    case anObjectMayLieBelowAnother
    case manyPiecesComeInOrder

    var testDescription: String { rawValue }

    func check(_ store: any ObjectStore) throws {
        switch self {
        case .aPutIsReadBackByteForByte:
            let facts = try store.put(try key("ab/x"), body("hello"))
            #expect(facts.byteCount == 5)
            #expect(try store.text(try key("ab/x")) == "hello")
            let head = try store.head(try key("ab/x"))
            #expect(head.byteCount == 5)
            #expect(head.sha256 == nil || head.sha256 == body("hello").sha256)
            #expect(head.versionID == facts.versionID)
        case .aPutReplacesWhatWasThere:
            _ = try store.put(try key("ab/x"), body("one"))
            _ = try store.put(try key("ab/x"), body("two!"))
            #expect(try store.text(try key("ab/x")) == "two!")
            #expect(try store.list("ab/", after: nil, limit: 10).count == 1)
        case .otherBytesThanDeclaredAreRefusedAndNothingIsStored:
            try checkRefusal(store)
        case .anEmptyObjectIsAnObject:
            _ = try store.put(try key("ab/empty"), body(""))
            #expect(try store.head(try key("ab/empty")).byteCount == 0)
            #expect(try store.text(try key("ab/empty")) == "")
        case .whatIsNotThereIsNotFound:
            #expect(kind { _ = try store.head(try key("ab/none")) } == .notFound)
            #expect(kind { _ = try store.text(try key("ab/none")) } == .notFound)
            #expect(try store.list("", after: nil, limit: 10) == [])
        case .aDeleteTakesAllVersionsAndMayComeTwice:
            for text in ["one", "two"] { _ = try store.put(try key("ab/x"), body(text)) }
            for _ in 0..<2 { try store.delete(try key("ab/x")) }
            #expect(kind { _ = try store.head(try key("ab/x")) } == .notFound)
        case .aReadBeginsWhereItIsTold:
            _ = try store.put(try key("ab/x"), body("hello"))
            #expect(try store.text(try key("ab/x"), from: 2) == "llo")
            #expect(try store.text(try key("ab/x"), from: 5) == "")
        case .aListHasTheKeysOfAPrefixInOrderAndGoesOn:
            try checkList(store)
        case .anObjectMayLieBelowAnother:
            _ = try store.put(try key("a"), body("above"))
            _ = try store.put(try key("a/b"), body("below"))
            #expect(try store.text(try key("a")) == "above")
            #expect(try store.text(try key("a/b")) == "below")
            try store.delete(try key("a"))
            #expect(try store.text(try key("a/b")) == "below")
        case .manyPiecesComeInOrder:
            let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
            _ = try store.put(try key("big"), ObjectBody(bytes))
            var got: [UInt8] = []
            try store.get(try key("big"), from: 0) { piece in
                #expect(piece.count <= 1 << 20)
                got += piece
            }
            #expect(got == bytes)
        }
    }

    private func checkRefusal(_ store: any ObjectStore) throws {
        _ = try store.put(try key("ab/x"), body("before"))
        let lie = ObjectBody(lying: Array("others".utf8), sha256: body("declared").sha256)
        #expect(kind { _ = try store.put(try key("ab/x"), lie) } == .checksumMismatch)
        #expect(try store.text(try key("ab/x")) == "before")
    }

    private func checkList(_ store: any ObjectStore) throws {
        for name in ["b/2", "a/1", "b/10", "b/1", "c"] { _ = try store.put(try key(name), body(name)) }
        #expect(try store.list("b/", after: nil, limit: 10).map(\.key.text) == ["b/1", "b/10", "b/2"])
        #expect(try store.list("", after: nil, limit: 2).map(\.key.text) == ["a/1", "b/1"])
        #expect(try store.list("", after: try key("b/1"), limit: 9).map(\.key.text) == ["b/10", "b/2", "c"])
    }
}

/// The kind of error that a verb of a store throws; nil where it throws none.
func kind(_ body: () throws -> Void) -> ObjectStoreError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? ObjectStoreError)?.kind
    }
}
