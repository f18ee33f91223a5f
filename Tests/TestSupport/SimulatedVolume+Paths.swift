import Glibc
import Platform

/// Finding nodes: beneath a directory as openat2(2) does for the engine, or from the root as other programs do.
extension SimulatedVolume {
    private static let slash = UInt8(ascii: "/")

    /// Crosses no symlink; a symlink as the last component is found itself.
    ///
    /// The first result is where the last name stands.
    func find(_ path: [UInt8], beneath root: UInt64, _ verb: String) throws(FileError) -> UInt64 {
        guard !path.contains(0) else { throw failure(EINVAL, verb, path) }
        guard path.first != SimulatedVolume.slash else { throw failure(EXDEV, verb, path) }
        guard !path.isEmpty else { throw failure(ENOENT, verb, path) }
        var way = [root]
        for name in path.split(separator: SimulatedVolume.slash).map(Array.init) {
            try step(name, &way, verb)
        }
        return way[way.count - 1]
    }

    private func step(_ name: [UInt8], _ way: inout [UInt64], _ verb: String) throws(FileError) {
        let here = way[way.count - 1]
        switch try node(here, verb).kind {
        case .directory: break
        case .symlink: throw failure(ELOOP, verb, name)
        default: throw failure(ENOTDIR, verb, name)
        }
        if name == Array(".".utf8) { return }
        guard name == Array("..".utf8) else { return way.append(try entry(name, in: here, verb)) }
        way.removeLast()
        if way.isEmpty { throw failure(EXDEV, verb, name) }
    }

    /// The directory in which the last component of a path stands, and that component.
    func split(_ path: [UInt8], beneath root: UInt64, _ verb: String) throws(FileError) -> (UInt64, [UInt8]) {
        guard let slash = path.lastIndex(of: SimulatedVolume.slash) else {
            guard path.isFileName else { throw failure(EINVAL, verb, path) }
            return (root, path)
        }
        guard slash > 0 else { throw failure(EXDEV, verb, path) }
        let name = Array(path[(slash + 1)...])
        guard name.isFileName else { throw failure(EINVAL, verb, path) }
        let parent = try find(Array(path[..<slash]), beneath: root, verb)
        if nodes[parent]?.kind == .symlink { throw failure(ELOOP, verb, path) }
        return (parent, name)
    }

    /// By absolute path, following symlinks; in the last component only where `follows` says so.
    func find(absolute path: [UInt8], follows: Bool, _ verb: String) throws(FileError) -> UInt64 {
        var budget = 40
        return try resolve(path, from: [SimulatedVolume.root], follows: follows, &budget, verb).last
            ?? SimulatedVolume.root
    }

    /// The directory of the last component of an absolute path, and that component.
    func split(absolute path: [UInt8], _ verb: String) throws(FileError) -> (UInt64, [UInt8]) {
        guard path.first == SimulatedVolume.slash, let slash = path.lastIndex(of: SimulatedVolume.slash) else {
            throw failure(EINVAL, verb, path)
        }
        return (try find(absolute: Array(path[..<slash]), follows: true, verb), Array(path[(slash + 1)...]))
    }

    private func resolve(
        _ path: [UInt8], from start: [UInt64], follows: Bool, _ budget: inout Int, _ verb: String
    ) throws(FileError) -> [UInt64] {
        var way = path.first == SimulatedVolume.slash ? [SimulatedVolume.root] : start
        let names = path.split(separator: SimulatedVolume.slash).map(Array.init)
        for (index, name) in names.enumerated() where name != Array(".".utf8) {
            if name == Array("..".utf8) {
                if way.count > 1 { way.removeLast() }
                continue
            }
            let inode = try entry(name, in: way[way.count - 1], verb)
            guard let link = nodes[inode], link.kind == .symlink, follows || index < names.count - 1 else {
                way.append(inode)
                continue
            }
            budget -= 1
            guard budget >= 0 else { throw failure(ELOOP, verb, path) }
            way = try resolve(link.target, from: way, follows: true, &budget, verb)
        }
        return way
    }
}
