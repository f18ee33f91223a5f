import FoundationEssentials
import PhotoModel
import Testing

@testable import Control

/// What a client sends is understood whole, or refused with the field, what is there, and what is allowed.
@Suite struct RequestDecoderTests {
    private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    private func fault<Value: Decodable>(_ type: Value.Type, _ body: String) -> String? {
        do throws(Problem) {
            _ = try JSON.decodeRequest(type, from: Array(body.utf8))
            return nil
        } catch {
            #expect(error.status == 400 && error.exitCode == 2 && error.fix?.isEmpty == false)
            return error.detail
        }
    }

    /// The same where there must be one.
    private func detail<Value: Decodable>(_ type: Value.Type, _ body: String) throws -> String {
        try #require(fault(type, body))
    }

    @Test func whatAlbumctlSendsIsUnderstood() throws {
        var save = SaveRequest(upload: Self.uuid)
        (save.filename, save.creationDate) = ("ü\n\"\\\u{1F600}", Date(timeIntervalSince1970: 1_000_000.5))
        #expect(try JSON.decodeRequest(SaveRequest.self, from: JSON.encode(save)) == save)
        let pin = PinRequest(
            subjects: [
                SubjectRequest(localIdentifier: LocalIdentifier(Self.uuid)), SubjectRequest(path: PathBytes([0xFF])),
            ],
            isPinned: true)
        #expect(try JSON.decodeRequest(PinRequest.self, from: JSON.encode(pin)) == pin)
        #expect(try JSON.decodeRequest(FlushRequest.self, from: []) == FlushRequest(timeoutSeconds: nil))
        let spaced = Array(" {\r\n\t\"timeoutSeconds\" : 15e-1 } ".utf8)
        #expect(try JSON.decodeRequest(FlushRequest.self, from: spaced).timeoutSeconds == 1.5)
        #expect(
            try JSON.decodeRequest(UndoRequest.self, from: Array(#"{"token":1e1,"isDryRun":null}"#.utf8)).token == 10)
    }

    @Test(arguments: [
        (#"{"timeout":"x"}"#, "'timeout' is unknown: known are timeoutSeconds"),
        (#"{"timeoutSeconds":"x"}"#, #"'timeoutSeconds' is "x", and must be a number"#),
        (#"{"timeoutSeconds":1,"timeoutSeconds":2}"#, #"line 1, column 21: the key "timeoutSeconds" is there twice"#),
        (#"[]"#, "the body is a list, and must be an object"), ("7", "the body is 7, and must be an object"),
        (#"{"timeoutSeconds":}"#, "line 1, column 19: no value begins like this"),
        ("{\n \"timeoutSeconds\": 1,}", "line 2, column 22: a key in quotes is wanted"),
        (#"{"timeoutSeconds":1"#, "line 1, column 20: a comma or the object's end is wanted"),
        (#"{"timeoutSeconds":1}x"#, "line 1, column 21: nothing may follow the value"),
        (#"{"timeoutSeconds":01}"#, "no value begins like this"), (#"{"timeoutSeconds":1.}"#, "a digit is wanted"),
        (#"{"timeoutSeconds":NaN}"#, "no value begins like this"), (#"{"timeoutSeconds":1e999}"#, "must be a number"),
        (#"{"\ud800":1}"#, "half a surrogate pair"), (#"{"\u00e":1}"#, "four digits"), (#"{"\x":1}"#, "no such escape"),
        ("{\"a\nb\":1}", "a control character"), (#"{"a"#, "a string has no end"), ("{", "a key in quotes"),
    ])
    func whatIsWrongIsSaid(body: String, words: String) throws {
        #expect(try detail(FlushRequest.self, body).contains(words))
    }

    @Test(arguments: [
        (
            #"{"changes":[{"change":"createAlbum","title":"a"},{"change":"deleteAlbum"}]}"#,
            #"'changes[1].change' is "deleteAlbum", and must be one of createAlbum, renameAlbum, addAssets, removeAssets"#
        ),
        (#"{"changes":[{"change":"addAssets","assets":[7]}]}"#, "'changes[0].assets[0]' is 7, and must be a string"),
        (#"{"changes":[{"change":"addAssets","album":"x"}]}"#, "'changes[0].album': 'x' is no local identifier"),
        (
            #"{"changes":[{"change":"addAssets","titel":"x"}]}"#,
            "'changes[0].titel' is unknown: known are change, album, title, assets"
        ),
        (#"{"changes":[{}]}"#, "'changes[0].change' is missing"),
        (#"{"changes":{}}"#, "'changes' is an object, and must be a list"),
        (#"{"changed":[]}"#, "'changes' is missing; there is changed"),
        (#"{"changes":[null]}"#, "'changes[0]' is null, and must be an object"),
    ])
    func theFieldIsNamedByItsPath(body: String, words: String) {
        #expect(fault(ChangesRequest.self, body) == words)
    }

    @Test(arguments: [
        (
            #"{"token":1.5}"#,
            "'token' is 1.5, and must be a whole number from -9223372036854775808 to 9223372036854775807"
        ),
        (#"{"token":99999999999999999999}"#, "must be a whole number from"),
        (#"{"token":true}"#, "must be a whole number"),
        (#"{"token":1,"isDryRun":1}"#, "'isDryRun' is 1, and must be true or false"),
    ])
    func aNumberIsWholeAndATruthIsOne(body: String, words: String) throws {
        #expect(try detail(UndoRequest.self, body).contains(words))
    }

    @Test func datesAndIdentifiersAreTold() throws {
        let upload = #""upload":"\#(Self.uuid.uuidString)""#
        #expect(try detail(SaveRequest.self, #"{"upload":"x"}"#).contains("must be a UUID"))
        #expect(try detail(SaveRequest.self, "{\(upload),\"creationDate\":\"today\"}").contains("(RFC 3339)"))
        #expect(fault(NoFields.self, "{\(upload)}") == "'upload' is unknown: no key is known here")
        #expect(fault(NoFields.self, "{}") == nil)
    }

    @Test(arguments: [(32, true), (33, false)]) func nestingHasAnEnd(depth: Int, isRead: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let isTaken = (try? JSONReader.read(Array(text.utf8))) != nil
        #expect(isTaken == isRead)
    }

    @Test func whatIsNoUTF8IsNoJSON() throws {
        #expect(throws: Problem.self) { try JSONReader.read(Array("\"".utf8) + [0xFF] + Array("\"".utf8)) }
    }
}

/// What stands after the `?` is known, or refused.
@Suite struct OperationQueryTests {
    @Test(
        arguments: [
            (Operation.status, ["frob": "1"], "the query key 'frob' is unknown: none is known here"),
            (.listAlbums, ["cursor": "zzz"], "the query key 'cursor' is unknown: known are after, limit"),
            (.listChanges, ["limit": "1"], "the query key 'limit' is unknown: known are after, follow"),
            (.listAssets, ["after": "1", "album": "A"], nil),
        ] as [(Operation, [String: String], String?)])
    func aKeyThatMeansNothingIsRefused(operation: Operation, query: [String: String], words: String?) {
        var said: String?
        do throws(Problem) { try operation.check(query: query) } catch { said = error.detail }
        #expect(said == words)
    }

    @Test(arguments: [("true", true), ("false", false), ("yes", nil), ("", nil)] as [(String, Bool?)])
    func aFlagIsTrueOrFalse(word: String, value: Bool?) throws {
        let peer = Peer(uid: 0, gid: 0, groups: [], pid: 1)
        let request = Request(method: .get, path: "/", query: ["wait": word], body: [], peer: peer)
        if let value {
            #expect(try request.flag("wait") == value)
        } else {
            #expect(throws: Problem.self) { try request.flag("wait") }
        }
        #expect(try request.flag("other") == nil)
    }
}
