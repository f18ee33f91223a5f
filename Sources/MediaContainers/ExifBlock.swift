import MediaBytes
package import MediaFacts

/// An EXIF block with only the fields that are read, made of the directories of a TIFF stream wherever they lie.
///
/// libexif takes 64 KiB from the start of a block and follows what it finds there. TIFF and RAW files are longer, and
/// a hostile block has loops and thousands of entries: so it gets a small and orderly block, made here.
///
/// Directories are read that are named directly: three at most, so that there is no loop.
package struct ExifBlock {
    private var fields: [ExifField.Directory: [TIFFStream.Entry]] = [:]
    private var order = ByteOrder.big
    /// The maker's note, which libexif is not given.
    package private(set) var makerNote: [UInt8]?
    /// What stands beside EXIF in the first directory of a TIFF file.
    package private(set) var iptc: IPTCRecords?
    /// The size that EXIF states; an edited picture may have another by now.
    package private(set) var statedSize: PixelSize?

    package init() {}

    /// Takes the fields of a stream whose first directory is the one of the picture.
    package mutating func add(_ stream: TIFFStream) {
        let primary = add(stream.entries(at: stream.firstDirectory), to: .primary, stream.order)
        for (number, directory) in [(UInt16(0x8769), ExifField.Directory.exif), (0x8825, .gps)] {
            guard let pointer = primary.first(where: { $0.number == number }) else { continue }
            add(stream.entries(at: pointer.number(stream.order)), to: directory, stream.order)
        }
    }

    /// Takes the fields of a stream that holds one directory alone, as CR3 has them.
    package mutating func add(_ stream: TIFFStream, as directory: ExifField.Directory) {
        add(stream.entries(at: stream.firstDirectory), to: directory, stream.order)
    }

    /// `Exif`, two zeros, and a TIFF stream; nil where there is no field.
    package var bytes: [UInt8]? {
        guard fields.values.contains(where: { !$0.isEmpty }) else { return nil }
        var stream = Array(order == .big ? "MM".utf8 : "II".utf8) + order.bytes(42, count: 2) + order.bytes(8, count: 4)
        let (exif, gps) = (fields[.exif] ?? [], fields[.gps] ?? [])
        let primary = fields[.primary] ?? []
        let exifStart = 8 + size(of: primary, pointers: 2)
        let gpsStart = exifStart + size(of: exif, pointers: 0)
        append(primary, pointers: [(0x8769, exifStart), (0x8825, gpsStart)], to: &stream)
        append(exif, pointers: [], to: &stream)
        append(gps, pointers: [], to: &stream)
        return Array("Exif\0\0".utf8) + stream
    }

    @discardableResult
    private mutating func add(
        _ entries: [TIFFStream.Entry], to directory: ExifField.Directory, _ order: ByteOrder
    ) -> [TIFFStream.Entry] {
        // The streams of one file agree in their order; one that does not cannot be joined.
        guard fields.isEmpty || order == self.order else { return [] }
        self.order = order
        if directory == .primary { iptc = iptc ?? entries.iptc }
        if directory == .exif {
            makerNote = entries.first { $0.number == 0x927C }?.value
            statedSize = stated(0xA002, entries).flatMap { width in
                stated(0xA003, entries).map { PixelSize(width: width, height: $0) }
            }
        }
        for entry in entries where isWanted(entry, directory) {
            let known = fields[directory] ?? []
            guard !known.contains(where: { $0.number == entry.number }), byteCount + entry.value.count < 60_000 else {
                continue
            }
            fields[directory] = known + [entry]
        }
        return entries
    }

    private func stated(_ number: UInt16, _ entries: [TIFFStream.Entry]) -> Int? {
        entries.first { $0.number == number }.map { Int(order.integer($0.value.prefix(4))) }
    }

    private var byteCount: Int { fields.values.joined().reduce(0) { $0 + 16 + $1.value.count } }

    private func isWanted(_ entry: TIFFStream.Entry, _ directory: ExifField.Directory) -> Bool {
        ExifField.all.contains { $0.directory == directory && $0.number == entry.number }
    }

    private func size(of entries: [TIFFStream.Entry], pointers: Int) -> Int {
        6 + 12 * (entries.count + pointers) + entries.reduce(0) { $0 + room($1.value.count) }
    }

    /// What a value takes behind its directory: nothing up to four bytes, else an even number.
    private func room(_ count: Int) -> Int { count <= 4 ? 0 : count + count % 2 }

    private func append(
        _ entries: [TIFFStream.Entry], pointers: [(number: UInt16, place: Int)], to stream: inout [UInt8]
    ) {
        let sorted = entries.sorted { $0.number < $1.number }
        var place = stream.count + 6 + 12 * (entries.count + pointers.count)
        var values: [UInt8] = []
        stream += order.bytes(UInt64(entries.count + pointers.count), count: 2)
        for entry in sorted {
            stream += header(entry.number, entry.type, entry.count)
            if entry.value.count <= 4 {
                stream += entry.value + Array(repeating: 0, count: 4 - entry.value.count)
            } else {
                stream += order.bytes(UInt64(place), count: 4)
                values += entry.value + Array(repeating: 0, count: entry.value.count % 2)
                place += room(entry.value.count)
            }
        }
        for pointer in pointers {
            stream += header(pointer.number, 4, 1) + order.bytes(UInt64(pointer.place), count: 4)
        }
        stream += [0, 0, 0, 0] + values
    }

    private func header(_ number: UInt16, _ type: UInt16, _ count: UInt32) -> [UInt8] {
        order.bytes(UInt64(number), count: 2) + order.bytes(UInt64(type), count: 2)
            + order.bytes(UInt64(count), count: 4)
    }
}

extension [TIFFStream.Entry] {
    /// The records themselves, or Photoshop's resources that hold them (Adobe Photoshop TIFF Technical Notes).
    fileprivate var iptc: IPTCRecords? {
        if let records = first(where: { $0.number == 0x83BB }) { return IPTCRecords(records.value) }
        return first { $0.number == 0x8649 }.flatMap { IPTCRecords(photoshop: $0.value) }
    }
}
