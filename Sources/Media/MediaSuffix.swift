/// Whether the last component of a path ends like a photo's or a video's, in whatever case.
func hasMediaSuffix(_ name: [UInt8]) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return false }
    let suffix = String(decoding: name[(dot + 1)...].prefix(8), as: UTF8.self).lowercased()
    return name.count - dot <= 8 && mediaSuffixes.contains(suffix)
}

/// The suffixes that cameras, phones and programs write for the kinds known here, and for some that only decoders know.
private let mediaSuffixes = Set(MediaKind.allCases.filter { $0 != .unknown }.map(\.rawValue) + otherSuffixes)

private let otherSuffixes = [
    "jpg", "jpe", "jfif", "mpo", "thm", "insp", "heics", "heifs", "hif", "avifs", "avci", "dib", "tif", "psb",
    "jpf", "jpx", "jpm", "j2c", "jpc", "wdp", "hdp", "tga", "pnm", "pbm",
    "nrw", "sr2", "srf", "raw", "rwl", "fff", "kdc", "dcs", "k25", "cap", "gpr", "bay", "ari",
    "qt", "3gpp", "3gpp2", "m2ts", "m2t", "mpeg", "mpe", "m2v", "vob", "mod", "tod", "asf", "f4v", "dv",
    "divx", "insv", "lrv", "360", "r3d", "braw", "rm", "rmvb", "mk3d",
]
