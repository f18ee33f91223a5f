import Control
import PhotoModel
import Platform

/// What the bytes of an asset say, line by line; what they do not say has no line.
func factLines(_ row: AssetRow) -> [String] {
    if let why = row.unreadable, row.facts == nil { return ["Facts     unreadable: \(inert(why))"] }
    guard let facts = row.facts else { return [] }
    let lines = [
        facts.captureDate.map { ("Taken", taken($0)) }, facts.shape.map { ("Size", $0) },
        facts.location.map { ("Place", place($0)) }, facts.camera.map { ("Camera", $0.words) },
        facts.exposure.map { ("Exposure", $0.words) }, facts.title.map { ("Title", $0) },
        facts.caption.map { ("Caption", $0) },
        facts.keywords.isEmpty ? nil : ("Keywords", facts.keywords.joined(separator: ", ")),
        row.smartAlbums.flatMap { $0.isEmpty ? nil : ("Smart", $0.map(\.rawValue).joined(separator: ", ")) },
    ]
    return lines.compactMap { $0 }.filter { !$0.1.isEmpty }.map { name, text in
        name.padding(to: 10) + printable(text)
    } + facts.faults.map { "Fault     \(inert($0))" }
}

/// As the wall clock said, with its zone where it is known, and who says so.
private func taken(_ date: CaptureDate) -> String {
    let time = date.localTime.map { String($0.text.prefix(19)).replacing("T", with: " ") }
    let zone = date.offset.map(zoneText)
    let words = [time, zone].compactMap { $0 }.joined(separator: " ")
    return "\(words.isEmpty ? localTime(date.creationDate) : words) (\(date.source.rawValue))"
}

private func zoneText(_ offset: Int) -> String {
    let minutes = abs(offset) / 60
    let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (offset < 0 ? "-" : "+") + parts.joined(separator: ":")
}

private func place(_ location: Location) -> String {
    "\(location.latitude), \(location.longitude)" + (location.altitude.map { ", \($0) m" } ?? "")
}

extension AssetFacts {
    fileprivate var shape: String? {
        let size = pixelWidth.flatMap { width in pixelHeight.map { "\(width) x \($0)" } }
        let words = [size, duration.map { "\($0) s" }, frameRate.map { "\($0) frames a second" }, codec]
        let text = words.compactMap { $0 }.joined(separator: ", ")
        return text.isEmpty ? nil : text
    }
}

extension Camera {
    fileprivate var words: String { [make, model, lens].compactMap { $0 }.joined(separator: ", ") }
}

extension Exposure {
    fileprivate var words: String {
        [time.map { "\($0) s" }, fNumber.map { "f/\($0)" }, iso.map { "ISO \($0)" }, focalLength.map { "\($0) mm" }]
            .compactMap { $0 }.joined(separator: ", ")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
