import MediaBytes

extension Signature {
    /// TIFF and the camera RAW formats built on it.
    ///
    /// RAW is told by its sensor data, and only then named by `Make`:
    /// a scan or an export that a Nikon's owner keeps as TIFF stays a TIFF.
    static func tiff(in file: FileEnds) -> Signature? {
        if isPhaseOne(file, at: 0) { return .media(.iiq) }
        guard let order = byteOrder(of: file) else { return nil }
        if file.has([0x43, 0x52, 0x02], at: 8) { return .media(.cr2) }
        if isPhaseOne(file, at: 8) { return .media(.iiq) }
        let facts = TIFFFacts(in: file, order)
        if facts.isDNG { return .media(.dng) }
        guard facts.hasSensorData || facts.startsWithPreview else { return .media(.tiff) }
        return .media(makers.first { facts.make.hasPrefix($0.make) }?.kind ?? .tiff)
    }

    /// The order that the header states; 43 instead of 42 is BigTIFF.
    private static func byteOrder(of file: FileEnds) -> ByteOrder? {
        if file.has([0x49, 0x49, 0x2A, 0], at: 0) || file.has([0x49, 0x49, 0x2B, 0], at: 0) { return .little }
        if file.has([0x4D, 0x4D, 0, 0x2A], at: 0) || file.has([0x4D, 0x4D, 0, 0x2B], at: 0) { return .big }
        return nil
    }

    /// Phase One's own header, in either byte order, alone or inside TIFF.
    private static func isPhaseOne(_ file: FileEnds, at offset: Int64) -> Bool {
        file.has("IIII", at: offset) && file.has("waR", at: offset + 5) || file.has("MMMMRaw", at: offset)
    }

    private static let makers: [(make: String, kind: MediaKind)] = [
        ("NIKON", .nef), ("SONY", .arw), ("PENTAX", .pef), ("RICOH", .pef), ("ASAHI", .pef), ("SAMSUNG", .srw),
        ("HASSELBLAD", .hasselblad), ("SEIKO EPSON", .erf), ("EASTMAN KODAK", .dcr), ("KODAK", .dcr), ("LEAF", .mos),
        ("MAMIYA", .mef), ("PHASE ONE", .iiq),
    ]
}
