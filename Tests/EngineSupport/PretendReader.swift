package import Importing
import Media
import MediaFacts
package import Platform

extension FactsPort {
    /// A reader of media that knows sample pictures: of each four numbers in a row one shutter made the pictures, and each
    /// fifth picture says nothing.
    package static func pretended(_ files: any FileVerbs) -> FactsPort {
        FactsPort(
            read: { file, _ in
                guard let bytes = try? readBytes(file, files: files, at: 6, count: 32),
                    let number = pictureNumber(in: bytes), !number.isMultiple(of: 5)
                else { return .unreadable(reason: "it says nothing") }
                let second = number / 4 % 60
                var facts = FileFacts()
                facts.tags[.dateTimeOriginal] = "2019:01:02 03:04:" + (second < 10 ? "0\(second)" : "\(second)")
                facts.tags[.model] = "Pretend 1"
                return .facts(facts)
            }, readSidecar: { _ in .unreadable(reason: "there is none") })
    }
}

/// Of the comment that a sample picture begins with.
private func pictureNumber(in bytes: [UInt8]) -> Int? {
    let start = Array("picture ".utf8)
    guard bytes.starts(with: start) else { return nil }
    let digits = bytes.dropFirst(start.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
}
