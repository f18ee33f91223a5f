import Cloud
import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// Original bytes, and what a read finds out about them.
extension LibraryService {
    /// The stored bytes of an asset: `current`, or `original`, the first ones, or those with a SHA-256.
    ///
    /// One that is in the cloud is fetched first, where that `isAllowed`.
    func original(
        _ identifier: LocalIdentifier, version word: String?, isAllowed: Bool
    ) async throws -> Response {
        let version = try await version(word, of: identifier)
        let hash = version.content.hash
        // Until it is open: else a rule might evict what was just brought, and it would be brought again.
        cloud?.tier.beginWanting(hash)
        defer { cloud?.tier.endWanting(hash) }
        let here = try await bring(version, word, of: identifier, allowsNetwork: isAllowed)
        noteUse(of: here.content)
        do { return try await send(here) } catch {
            // Only this read found that it is not what it should be.
            guard isAllowed, let now = try await read({ try $0.version(of: hash) }), now.isMendedByFetch else {
                throw error
            }
            return try await send(try await bring(now, word, of: identifier, allowsNetwork: true))
        }
    }

    func version(_ word: String?, of identifier: LocalIdentifier) async throws -> Version {
        let resources = try await read { try self.existingAsset(identifier, in: $0).resources }
        let version: Version?
        switch word ?? "current" {
        case "current": version = resources.first?.versions.last
        case "original": version = resources.first?.versions.first
        case let word:
            guard let hash = ContentHash(hexadecimal: word[...]) else {
                throw Problem.badRequest("'version' is '\(word)', and must be current, original or a SHA-256")
            }
            version = resources.flatMap(\.versions).first { $0.content.hash == hash }
        }
        guard let version else { throw LibraryError.noSuchAsset(identifier) }
        return version
    }

    /// What was asked for last leaves the disk last; where that cannot be written, only the order is not as well known.
    private func noteUse(of content: Content) {
        guard cloud != nil else { return }
        pool.add { [library] in library.onThread { try? $0.noteUse(of: [content.hash]) } }
    }

    /// Up to this size bytes are proven before the first of them is sent; larger ones while they are.
    private static let provenFirst: Int64 = 256 << 20

    private func send(_ version: Version) async throws -> Response {
        let content = version.content
        let file = try await pool.run { try openSound(version) }
        if content.byteCount > Self.provenFirst { pool.add { proveLater(content) } }
        return Response(
            status: 200, contentType: content.contentType,
            headers: [("X-Content-SHA256", content.hash.hexadecimal), ("Content-Disposition", "attachment")],
            body: .file(descriptor: file.surrender(), byteCount: content.byteCount))
    }

    /// Opens an original that is what it should be; one that is not is remembered as such, and refused.
    ///
    /// What was not sound when it was last looked at may be so again.
    private func openSound(_ version: Version) throws -> OpenFile {
        let (content, originals) = (version.content, library.directory.originals)
        let isDoubted = version.condition != .sound
        let look = originals.look(at: content, reading: isDoubted || content.byteCount <= Self.provenFirst)
        if look.finding != .sound || isDoubted { remember(content, look) }
        switch look.finding {
        case .sound, .stopped: return try originals.open(content)
        case .unreadable(let error): throw error
        case .missing: throw unsound(content, .missing)
        case .corrupt: throw unsound(content, .corrupt)
        case .misstated(let byteCount): throw misstated(content, byteCount)
        }
    }

    private func proveLater(_ content: Content) {
        let look = library.directory.originals.look(at: content, reading: true, pace: verification.unpaced)
        if look.finding != .sound { remember(content, look) }
    }

    /// The answer is the same where the catalogue cannot be written: the next read finds it again.
    private func remember(_ content: Content, _ look: StoredBytes) {
        guard let condition = look.condition else { return }
        if condition != .sound {
            machine.log(.error, "an original is \(look.finding)", ["sha256": content.hash.hexadecimal])
        }
        do {
            for finding in try library.onThread({ try $0.record([(content: content, look: look)]) }) {
                knownFaults.note(finding)
            }
        } catch {
            // Told to the daemon where it is fatal, else to nobody.
            _ = problem(error)
        }
    }

    private func misstated(_ content: Content, _ byteCount: Int64) -> Problem {
        let path = library.directory.path + [UInt8(ascii: "/")] + content.path.bytes
        return Problem(
            "catalogueDiffers", title: "The catalogue does not have the original's size", status: 500,
            detail:
                "'\(printable(path))' is right, with its \(counted(Int(byteCount), "byte")), and the catalogue says \(content.byteCount)",
            fix: "make the catalogue anew: \(rebuilding)")
    }

    private func unsound(_ content: Content, _ condition: Condition) -> Problem {
        let path = library.directory.path + [UInt8(ascii: "/")] + content.path.bytes
        let what = condition == .missing ? "is not there" : "does not have the bytes that were stored"
        return Problem(
            "missingResource", title: "The original is \(condition.rawValue)", status: 410,
            detail: "'\(printable(path))' \(what)", code: 3303, fix: "albumctl repair")
    }
}
