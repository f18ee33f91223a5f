import CSystemd
import Glibc
package import Platform

extension Log {
    /// Writes to the system's journal, each value a field of its own (sd_journal_sendv(3)).
    ///
    /// `MESSAGE`, `PRIORITY`, `SYSLOG_IDENTIFIER`, and for the key `localIdentifier` the field
    /// `ALBUMD_LOCAL_IDENTIFIER`. Less urgent events than `least` are dropped.
    package static func journal(atLeast least: Level) -> Log {
        Log { entry in
            guard entry.level <= least else { return }
            sendToJournal(journalFields(entry))
        }
    }

    /// Whether stderr is the journal, so that fields can go there directly (systemd.exec(5), `JOURNAL_STREAM`).
    package static var isJournalConnected: Bool {
        guard let value = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: value) == "\(status.st_dev):\(status.st_ino)"
    }
}

/// The fields of one entry as `NAME=value`.
func journalFields(_ entry: Log.Entry) -> [[UInt8]] {
    let fixed = [
        ("MESSAGE", entry.message), ("PRIORITY", String(entry.level.rawValue)), ("SYSLOG_IDENTIFIER", "albumd"),
    ]
    let own = entry.fields.map { ("ALBUMD_" + journalName($0.key), $0.value) }
    return (fixed + own).map { name, value in Array(name.utf8) + [UInt8(ascii: "=")] + capped(value) }
}

/// A key in the journal's alphabet: upper case, with `_` where a camel has its hump.
private func journalName(_ key: String) -> String {
    var name = ""
    for scalar in key.unicodeScalars.prefix(48) {
        if scalar.properties.isUppercase, !name.isEmpty { name += "_" }
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        name += isPlain ? scalar.properties.uppercaseMapping : "_"
    }
    return name
}

/// At most 4 KiB of a value (RULES S8); names cannot fill the journal.
private func capped(_ value: String) -> [UInt8] {
    let limit = 4096
    guard value.utf8.count > limit else { return Array(value.utf8) }
    var bytes = Array(value.utf8.prefix(limit))
    while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
    return bytes.dropLast() + Array("…".utf8)
}

private func sendToJournal(_ fields: [[UInt8]]) {
    let all = fields.joined()
    Array(all).withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        var vectors: [iovec] = []
        var offset = 0
        for field in fields {
            // The journal only reads; iovec has no const (sd_journal_sendv(3)).
            let base = UnsafeMutableRawPointer(mutating: start + offset)
            vectors.append(iovec(iov_base: base, iov_len: field.count))
            offset += field.count
        }
        // A log that cannot be written has no place to say so.
        _ = sd_journal_sendv(vectors, Int32(vectors.count))
    }
}
