import Control
import Glibc
import PhotoModel
import Platform

/// Why a folder cannot be added beside those that are watched, and what to do instead; nil where it can.
func folderRefusal(of path: [UInt8], configured: [FolderRule], added: [FolderRule], library: [UInt8]) -> Problem? {
    let path = resolvedPath(path)
    if let problem = unfit(path) { return problem }
    if let nesting = nesting(of: path, to: resolvedPath(library)) { return refusal(nesting, path, library: library) }
    for (rule, isAdded) in configured.map({ ($0, false) }) + added.map({ ($0, true) }) {
        guard let nesting = nesting(of: path, to: resolvedPath(rule.path)) else { continue }
        return refusal(nesting, path, beside: rule, isAdded: isAdded)
    }
    return nil
}

/// What is there and can never be a folder; what is not there yet may become one.
private func unfit(_ path: [UInt8]) -> Problem? {
    let name = "'\(printable(path))'"
    if let kind = kernelFileSystem(of: path) {
        return .conflict(
            "folderIsKernels", "\(name) is on a file system of the kernel (\(kind)), where no photos are",
            fix: "choose another folder")
    }
    guard isNoDirectory(path) else { return nil }
    return .conflict("notADirectory", "\(name) is there and is no directory", fix: "name the directory that it lies in")
}

/// A folder that is not there: a mistyped path would be watched for ever, and in vain.
func absence(of path: [UInt8]) -> Problem? {
    var status = stat()
    guard path.withCPath({ stat($0, &status) }) != 0, errno == ENOENT else { return nil }
    let word = shellWord(path: path)
    return Problem(
        "noDirectory", title: "There is no such directory", status: 404,
        detail: "albumd finds no directory '\(printable(path))'", code: 3201,
        fix: "see that the path is right, or mkdir -p \(word); where its volume is not mounted now: "
            + "albumctl folder add --offline \(word)",
        exitCode: 4)
}

private func refusal(_ nesting: Nesting, _ path: [UInt8], beside rule: FolderRule, isAdded: Bool) -> Problem {
    let (name, other) = ("'\(printable(path))'", "'\(printable(resolvedPath(rule.path)))'")
    let letGo =
        isAdded
        ? "albumctl folder remove \(shellWord(path: resolvedPath(rule.path)))"
        : "remove its [[folder]] from the configuration, then albumctl reload"
    let album = "(album '\(printable(rule.album))')"
    return switch nesting {
    case .same:
        .conflict(
            "folderWatched", "\(name) is already a watched folder \(album)",
            fix: "albumctl folder list shows it; to add it anew with other options, first \(letGo)")
    case .within where isMounted(path, inside: resolvedPath(rule.path)):
        .conflict(
            "folderWatched",
            "\(name) lies within the watched folder \(other) \(album), and is another file system, which is not looked into",
            fix: "mount it outside \(other), then albumctl folder add its new place")
    case .within:
        .conflict(
            "folderWatched", "\(name) lies within the watched folder \(other) \(album)",
            fix: "its files are taken already; choose a folder outside, or first let \(other) go: \(letGo)")
    case .around:
        .conflict(
            "folderWatched", "the watched folder \(other) \(album) lies within \(name)",
            fix: "choose another folder, or first let \(other) go: \(letGo)")
    }
}

private func isMounted(_ path: [UInt8], inside folder: [UInt8]) -> Bool {
    var (own, other) = (stat(), stat())
    guard path.withCPath({ stat($0, &own) }) == 0, folder.withCPath({ stat($0, &other) }) == 0 else { return false }
    return own.st_dev != other.st_dev
}

private func refusal(_ nesting: Nesting, _ path: [UInt8], library: [UInt8]) -> Problem {
    let (name, home) = ("'\(printable(path))'", "'\(printable(resolvedPath(library)))'")
    let what =
        switch nesting {
        case .same: "\(name) is the library itself"
        case .within: "\(name) lies within the library \(home)"
        case .around: "the library \(home) lies within \(name)"
        }
    return .conflict("folderIsLibrary", what, fix: "choose a folder that is apart from the library")
}

/// A folder that folders.toml cannot hold.
func notWritten(_ error: ConfigurationError) -> Problem {
    .conflict(
        "configuration", error.description,
        fix: error.isOfDisk
            ? "see that the directory of this file has room and can be written, then add the folder again"
            : "choose another path for the folder; a symlink to it will do, too: ln -s DIR LINK, then add LINK")
}
