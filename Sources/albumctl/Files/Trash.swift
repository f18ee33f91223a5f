import FoundationEssentials
import Glibc
import PhotoModel
import Platform

/// The trash of the desktop (freedesktop.org, Trash specification 1.0).
struct Trash {
    let host: Host

    private var files: any FileVerbs { host.machine.files }
    private var machine: Machine { host.machine }

    /// Moves a file there; its place and the time are written beside it, so that a file manager can put it back.
    func take(_ place: SaveSource.Place) throws(FileError) {
        let device = try files.status(of: place.directory).device
        let can = try TrashCan.find(for: place.path, device: device, host: host)
        for attempt in 1...100 where try take(place, into: can, attempt) {
            for directory in [can.files, can.info] { try files.sync(directory) }
            return
        }
        throw FileError(code: EEXIST, verb: "trash", path: place.path.bytes)
    }

    /// The information first, whose name reserves the other; false where either is taken.
    private func take(_ place: SaveSource.Place, into can: TrashCan, _ attempt: Int) throws(FileError) -> Bool {
        let name = trashName(place.path.name.bytes, attempt)
        let infoName = name + Array(".trashinfo".utf8)
        do throws(FileError) {
            let info = try files.create(infoName, in: can.info)
            do throws(FileError) {
                try writeBytes(info, trashInfo(path: can.recorded(place.path), at: machine.now()), files: files, at: 0)
                try files.sync(info)
                try files.rename(place.path.name.bytes, in: place.directory, to: name, in: can.files)
            } catch {
                try? files.unlink(infoName, in: can.info)
                throw error
            }
            return true
        } catch  where error.isExistence {
            return false
        }
    }
}

/// `IMG.jpg`, then `IMG.2.jpg`, and so on; cut so that `.trashinfo` still fits behind it.
func trashName(_ name: [UInt8], _ attempt: Int) -> [UInt8] {
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let (stem, suffix) = dot == 0 ? (name[...], [][...]) : (name[..<dot], name[dot...].prefix(20))
    let number = attempt == 1 ? [] : Array(".\(attempt)".utf8)
    return Array(stem.prefix(255 - 10 - number.count - suffix.count)) + number + Array(suffix)
}

/// The text of a `.trashinfo`.
func trashInfo(path: [UInt8], at date: Date) -> [UInt8] {
    Array("[Trash Info]\nPath=\(percentEncoded(path))\nDeletionDate=\(trashTime(date))\n".utf8)
}

/// Bytes of a path in an URL: letters, digits, `-._~` and `/` stay (RFC 3986, 2.3).
private func percentEncoded(_ path: [UInt8]) -> String {
    path.map { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
            String(Unicode.Scalar(byte))
        default:
            (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }.joined()
}
