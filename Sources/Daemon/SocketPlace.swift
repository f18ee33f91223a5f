import Glibc

/// The group that may read through the control socket, where the system has it (RULES S1).
func clientsGroup() -> UInt32? {
    guard geteuid() == 0 || isMember(of: "albumd-clients") else { return nil }
    return getgrnam("albumd-clients")?.pointee.gr_gid
}

private func isMember(of name: String) -> Bool {
    guard let group = getgrnam(name)?.pointee.gr_gid else { return false }
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(groups.count), &groups)
    return getegid() == group || groups.prefix(Int(max(0, count))).contains(group)
}

/// The group of the socket, if it is another than the daemon's own: its members may read.
func socketGroup(of descriptor: Int32, path: String) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_gid != getegid() else { return nil }
    return status.st_gid
}
