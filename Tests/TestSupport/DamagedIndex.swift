/// Makes the keys of a catalogue's indexes unreadable, in pages that stay sound one by one: SQLite's quick check passes
/// over it, and the first statement that looks for a key meets it.
///
/// Takes the bytes of the file and the first pages of the indexes; false where one has more than that page
/// (https://sqlite.org/fileformat2.html, b-tree pages and record format).
package func spoilIndexes(startingAt pages: [Int], in bytes: inout [UInt8]) -> Bool {
    for start in pages.map({ ($0 - 1) * 4096 }) {
        guard bytes[start] == 0x0A else { return false }
        let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        for cell in 0..<count {
            let pointer = start + 8 + 2 * cell
            let offset = start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
            // A payload of less than 128 bytes has its length in one byte; then comes the length of its header.
            guard bytes[offset] < 0x80 else { return false }
            bytes[offset + 1] = 0x7F
        }
    }
    return !pages.isEmpty
}
