package import FoundationEssentials
import PhotoModel
import Platform

/// What a restore that was broken off has brought of the journal.
package struct BegunJournal: Sendable {
    /// Of the newest line.
    package private(set) var token: Int64 = 0
    /// The newest line, without its newline.
    package private(set) var line: [UInt8] = []
    package private(set) var date = Date(timeIntervalSince1970: 0)
    /// Of all lines with their newlines.
    package private(set) var byteCount: Int64 = 0
    /// Of the first line.
    private(set) var firstDate: Date?

    private static let piece = 1 << 20

    /// Nil where no line is whole; what follows one that is not, or that stands for a lost change, does not count.
    init?(_ file: OpenFile, files: any FileVerbs) throws(FileError) {
        var waiting: [UInt8] = []
        var place: Int64 = 0
        reading: while true {
            let bytes = try readBytes(file, files: files, at: place, count: Self.piece)
            if bytes.isEmpty { break }
            place += Int64(bytes.count)
            waiting += bytes
            var start = 0
            while let end = waiting[start...].firstIndex(of: UInt8(ascii: "\n")) {
                guard take(waiting[start..<end]) else { break reading }
                start = end + 1
            }
            waiting.removeFirst(start)
        }
        guard firstDate != nil else { return nil }
    }

    /// False for what is no line, does not follow, or was lost.
    private mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let line = JournalReader.line(bytes), line.origin != HistoryLine.lostOrigin,
            firstDate == nil || line.token == token + 1
        else { return false }
        (token, self.line, date) = (line.token, Array(bytes), line.date)
        firstDate = firstDate ?? line.date
        byteCount += Int64(bytes.count) + 1
        return true
    }
}
