package import FoundationEssentials

/// Whose store it is.
extension LibraryMirror {
    static var identity: ObjectKey? { ObjectKey("library/identity") }

    var identityText: String { library.uuidString + "\n" }

    var identityBody: ObjectBody { ObjectBody(Array(identityText.utf8)) }

    /// A store belongs to one library: two would delete each other's objects.
    ///
    /// One that should have originals of this library, and knows nothing of it, is not the store, or not mounted. One that
    /// has this library's newest changes is its store where the identity is wanting or rotted, and it is written again; so it
    /// is where nothing but what rot left of an identity is there: that is no library.
    func requireOurs(isExpected: Bool, _ history: History) throws {
        guard let key = LibraryMirror.identity else { return }
        let found = try textIfPresent(key, in: store)
        guard found != identityText else { return }
        let isNobodys = try !isExpected && found.map { try isNoIdentity($0) && isEmptyBeside(key) } == true
        if !isNobodys, found != nil || isExpected { try requireRot(found, history) }
        try putIdentity(key)
    }

    /// Throws where the store is another's, or empty: a volume that is not mounted any more gets no history.
    func requireStore(_ history: History) throws {
        let found = try LibraryMirror.identity.flatMap { try textIfPresent($0, in: store) }
        if let found, looksRotten(found) { return }
        if found != identityText { try requireRot(found, history) }
    }

    /// Throws `MirrorError.ahead` where the store has changes beyond `token`, the newest that this library brought, that are
    /// not this library's.
    package func requireNoLater(than token: Int64, _ history: History) throws {
        try requireNoOther(after: token, history)
    }

    /// Throws where an identity, nil where there is none, is not what rot left of this library's.
    func requireRot(_ found: String?, _ history: History) throws {
        let isOurs = try hasOurs(history)
        if let found, !isOurs || !looksRotten(found) {
            throw MirrorError(otherIdentity: found)
        }
        if !isOurs { throw MirrorError.vanished }
    }

    /// No identifier at all, or almost this one: those of two libraries have hardly a digit in common.
    func looksRotten(_ found: String) -> Bool {
        isNoIdentity(found) || zip(found, identityText).filter { $0 != $1 }.count <= 2
    }

    private func isNoIdentity(_ found: String) -> Bool {
        UUID(uuidString: found.split(separator: "\n").first.map(String.init) ?? "") == nil
    }

    /// Whether the store has nothing else of any library: neither history nor snapshots nor originals.
    private func isEmptyBeside(_ key: ObjectKey) throws -> Bool {
        let control = ObjectKey("library/control")
        return try store.list("", after: nil, limit: 3).allSatisfy { [key, control].contains($0.key) }
    }

    /// A person says that the store, which knows nothing of the library, is to be its own.
    package func adopt() throws {
        if let key = LibraryMirror.identity { try putIdentity(key) }
    }

    func putIdentity(_ key: ObjectKey) throws {
        try putProven(key, identityBody, in: store)
    }

    /// Whether the newest segment is the library's: two histories that differ never agree again.
    func hasOurs(_ history: History) throws -> Bool {
        guard let newest = try MirrorSegment.all(in: store).last else { return false }
        let lines = try lines(of: newest, history)
        let theirs = try textIfPresent(newest.key, in: store)
        return lines.count == newest.count && theirs.map { isText($0, of: lines) } == true
    }
}

extension LibraryMirror {
    /// Whether the store still has what was brought last, where there is more to bring; otherwise nothing is asked.
    package func hasSegment(upTo token: Int64, _ history: History) throws -> Bool {
        guard try token > 0 && !history(token, 1).isEmpty else { return true }
        let before = token - Int64(Self.linesPerSegment)
        let listed = try store.list(
            Self.prefix, after: before > 0 ? MirrorSegment.key(before...token - 1) : nil, limit: 1000)
        return listed.contains { MirrorSegment($0.key)?.tokens.upperBound == token }
    }
}

/// Whether a store says that it is that library's.
package func isStore(_ store: any ObjectStore, of library: UUID) throws -> Bool {
    guard let key = LibraryMirror.identity else { return false }
    return try textIfPresent(key, in: store) == LibraryMirror(store: store, library: library).identityText
}
