import Control
import FoundationEssentials
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform

/// `folder check`: tries a folder as the daemon, and prints what mends it.
extension LibraryService {
    func checkFolder(_ request: FolderPathRequest) async throws -> [FolderCheck] {
        let wanted = try Name.bytes(request.path, request.pathBase64).map { PathBytes(resolvedPath($0.bytes)) }
        let known = importing.status.folders
        var rules = known.map(\.rule).filter { wanted == nil || $0.path == wanted?.bytes }
        if let wanted, rules.isEmpty { rules = [FolderRule(path: wanted.bytes, album: wanted.name.utf8 ?? "Imported")] }
        let checker = FolderChecker(
            machine: machine, library: library.directory.identifier,
            polling: Dictionary(
                known.compactMap { folder in
                    if case .polling(let why) = folder.watching { return (PathBytes(folder.rule.path), why) }
                    return nil
                }, uniquingKeysWith: { first, _ in first }))
        let registered = try await read { try $0.folders() }
        return try await pool.run { [rules] in
            rules.flatMap { rule in
                checker.check(rule, known: registered.first { $0.path.bytes == rule.path })
            }
        }
    }
}

/// The checks, one after the other; what depends on a failed one is left out.
struct FolderChecker: Sendable {
    let machine: Machine
    let library: UUID
    /// Why folders are polled.
    let polling: [PathBytes: String]

    var files: any FileVerbs { machine.files }

    func check(_ rule: FolderRule, known: FolderRegistration?) -> [FolderCheck] {
        let name = printable(rule.path)
        func result(_ check: String, _ isGood: Bool, _ detail: String, _ fix: String? = nil) -> FolderCheck {
            FolderCheck(path: name, check: check, isGood: isGood, detail: detail, fix: isGood ? nil : fix)
        }
        do throws(FileError) {
            let root = try files.openDirectory(rule.path)
            let entries = try files.list(root)
            var checks = [
                result("exists", true, "the directory is there"),
                result("readable", true, counted(entries.count, "entry")),
            ]
            checks += self.entries(rule, root, result)
            checks.append(mounted(rule, known: known, result))
            checks.append(watchable(rule, root, result))
            checks.append(try marker(rule, root, known: known, result))
            checks.append(lease(rule, root, entries, result))
            return checks
        } catch  where error.isPermission {
            return [result("readable", false, error.description, grant(rule.path, "rX"))]
        } catch {
            let mending = "mkdir -p \(shellWord(path: rule.path))\nor mount its volume"
            return [result("exists", false, error.description, mending)]
        }
    }

    typealias Result = (String, Bool, String, String?) -> FolderCheck

    func grant(_ path: [UInt8], _ rights: String) -> String {
        let entry = "u:\(user):\(rights)"
        return "sudo setfacl -R -m \(shellWord(entry)) -m \(shellWord("d:" + entry)) \(shellWord(path: path))"
            + "\nor use the drop-in \(rights == "rX" ? "read-all.conf" : "move.conf"), as README says"
    }

    func grantReading(ofFile path: [UInt8]) -> String {
        "sudo setfacl -m \(shellWord("u:\(user):r")) \(shellWord(path: path))"
    }

    var user: String { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())" }

    private func mounted(_ rule: FolderRule, known: FolderRegistration?, _ result: Result) -> FolderCheck {
        // Only looked at: taking a folder on is the engine's.
        guard let known else { return result("mounted", true, "not taken on yet", nil) }
        let look = FolderGuard(machine: machine, library: library).look(at: known.path, known: known)
        switch look {
        case .online(let root) where (try? machine.files.status(of: root))?.inode != known.rootInode:
            return result(
                "mounted", false, "another directory than before, with its marker: its deletions are not followed",
                "albumctl folder confirm \(shellWord(path: rule.path))")
        case .online, .new: return result("mounted", true, "the same file system and directory as before", nil)
        case .offline(let why):
            return result("mounted", false, why, "albumctl folder confirm \(shellWord(path: rule.path))")
        case .otherLibrary(let other):
            return result(
                "mounted", false, "marked by library \(other)",
                otherLibraryFix(rule.path))
        }
    }

    private func watchable(_ rule: FolderRule, _ root: OpenFile, _ result: Result) -> FolderCheck {
        let limits = WatchLimits.read(files: files)
        guard let why = polling[PathBytes(rule.path)] else {
            return result(
                "watchable", true,
                "inotify; \(limits.watches.map { counted($0, "watch") } ?? "any number of watches") allowed", nil)
        }
        let isWanted = rule.watch == .poll || !why.contains("inotify")
        return result(
            "watchable", isWanted, "polled: \(why)",
            "sudo sysctl fs.inotify.max_user_watches=1048576 fs.inotify.max_user_instances=1024")
    }

    private func marker(
        _ rule: FolderRule, _ root: OpenFile, known: FolderRegistration?, _ result: Result
    ) throws(FileError) -> FolderCheck {
        let guarding = FolderGuard(machine: machine, library: library)
        guard let marker = try guarding.readMarker(in: root) else {
            let isExpected = known?.isMarked != true
            return result(
                "marker", isExpected,
                isExpected ? "none: absence here never counts as deletion" : ".albumd-folder is gone",
                "mount its volume; if this is the right folder: albumctl folder confirm \(shellWord(path: rule.path))")
        }
        return result(
            "marker", marker.library == library,
            marker.library == library ? "folder \(marker.folder)" : "it belongs to library \(marker.library)",
            otherLibraryFix(rule.path))
    }

    private func lease(
        _ rule: FolderRule, _ root: OpenFile, _ entries: [DirectoryEntry], _ result: Result
    ) -> FolderCheck {
        guard let entry = entries.first(where: { $0.kind == .regular && $0.name != IgnoreRules.marker }) else {
            return result("lease", true, "no file to try", nil)
        }
        do throws(FileError) {
            let file = try files.openForReading(entry.name, beneath: root)
            let lease = try files.takeLease(file)
            files.dropLease(file)
            let fix = "AmbientCapabilities=CAP_LEASE in the unit, or run albumd as the files' owner"
            return result(
                "lease", true,
                lease == .unavailable
                    ? "no read leases here: files are judged by their container and a longer rest (\(fix))"
                    : "read leases work", nil)
        } catch {
            return result("readable", false, error.description, grant(rule.path, "rX"))
        }
    }

    /// What lets albumd remove files: rights do not help where the file system is read-only, nor a directory that is
    /// immutable.
    func removalFix(_ path: [UInt8], _ code: Int32) -> String {
        switch code {
        case EROFS:
            "sudo mount -o remount,rw \"$(findmnt -no TARGET -T \(shellWord(path: path)))\""
                + "\nor, where it is read-only for albumd alone, the drop-in move.conf, as README says"
        case EPERM: "sudo chattr -i -a \(shellWord(path: path))"
        default: grant(path, "rwX") + "\nand \(writable(path))"
        }
    }
}

/// The line of a unit that lets albumd write to a directory.
///
/// A unit is no shell: it takes `%` for a specifier, splits at spaces, and has no word for a control (systemd.exec(5),
/// systemd.syntax(7)).
private func writable(_ path: [UInt8]) -> String {
    let text = printable(path)
    guard path == Array(text.utf8) else { return "let the unit write there: the drop-in move.conf has an example" }
    let escaped = text.replacing("\"", with: "\\\"").replacing("%", with: "%%")
    return "set ReadWritePaths=" + (shellWord(path) == escaped ? "-\(escaped)" : "\"-\(escaped)\"") + " in the unit"
}

/// What mends a folder whose marker names another library: of one that this library knows, only a person's word does.
func otherLibraryFix(_ path: [UInt8]) -> String {
    let marker = path + Array("/".utf8) + IgnoreRules.marker
    return "mount the library's own volume; if the folder is this library's now: "
        + "rm \(shellWord(path: marker)) && albumctl folder confirm \(shellWord(path: path))"
}
