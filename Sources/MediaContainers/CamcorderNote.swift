package import MediaFacts

/// What an AVCHD camcorder writes into its H.264 stream: when a clip was recorded, and by whose camera.
///
/// A message of user data (ITU-T H.264, D.1.6) under this identifier, with `MDPM` behind it and then numbered fields of
/// four bytes; no library reads it, and a transport stream has no other date.
package struct CamcorderNote {
    package private(set) var tags: [Tag: String] = [:]

    private static let mark: [UInt8] = [
        0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
        0x4D, 0x44, 0x50, 0x4D,
    ]
    private static let makers: [Int: String] = [
        0x0103: "Panasonic", 0x0108: "Sony", 0x1011: "Canon", 0x1104: "JVC",
    ]

    /// Of one packet of the stream.
    package init?(in packet: [UInt8]) {
        guard let start = CamcorderNote.place(in: packet) else { return nil }
        let bytes = CamcorderNote.unescaped(packet[start...].prefix(2048))
        guard let count = bytes.first else { return nil }
        var fields: [UInt8: [UInt8]] = [:]
        for index in 0..<Int(count) {
            let place = 1 + 5 * index
            guard place + 5 <= bytes.count else { break }
            fields[bytes[place]] = Array(bytes[place + 1..<place + 5])
        }
        tags[.containerDate] = date(fields[0x18], fields[0x19])
        if let maker = fields[0xE0] { tags[.make] = CamcorderNote.makers[Int(maker[0]) << 8 | Int(maker[1])] }
        if tags.isEmpty { return nil }
    }

    /// Behind the mark.
    private static func place(in packet: [UInt8]) -> Int? {
        var index = 0
        while let start = packet[index...].firstIndex(of: mark[0]) {
            if packet[start...].starts(with: mark) { return start + mark.count }
            index = start + 1
        }
        return nil
    }

    /// Without the 3 that keeps two zeros from looking like a start code (ITU-T H.264, 7.4.1).
    private static func unescaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes where !(byte == 3 && result.suffix(2) == [0, 0]) { result.append(byte) }
        return result
    }

    /// Zone, century, year and month, then day, hour, minute and second: digits as they are written.
    private func date(_ first: [UInt8]?, _ second: [UInt8]?) -> String? {
        guard let first, let second, (first[1...] + second).allSatisfy({ $0 >> 4 < 10 && $0 & 15 < 10 }) else {
            return nil
        }
        let digits = (first[1...] + second).map { "\($0 >> 4)\($0 & 15)" }
        let (date, time) = ("\(digits[0])\(digits[1])-\(digits[2])-\(digits[3])", digits[4...].joined(separator: ":"))
        return "\(date)T\(time)\(zone(first[0]))"
    }

    /// Half hours in bit 0, hours in bits 1 to 4, west of Greenwich in bit 5; the two highest bits say that there is none.
    private func zone(_ byte: UInt8) -> String {
        guard byte & 0x80 == 0 else { return "" }
        let hours = Int(byte >> 1 & 15)
        return "\(byte & 0x20 == 0 ? "+" : "-")\(hours < 10 ? "0" : "")\(hours):\(byte & 1 == 0 ? "00" : "30")"
    }
}
