import Control
import PhotoModel
import Platform

/// What the bytes of an asset say, line by line; what they do not say has no line.
func factLines(_ row: AssetRow) -> [String] {
    if let why = row.unreadable, row.facts == nil { return ["Facts     unreadable: \(inert(why))"] }
    guard let facts = row.facts else { return [] }
    return (pictureLines(facts) + descriptionLines(facts, row.smartAlbums ?? [])).filter { !$0.text.isEmpty }.map {
        $0.name.padding(to: 10) + printable($0.text)
    } + facts.passedOverDates.map(passedOverLine) + facts.faults.map { "Fault     \(inert($0))" }
}

private typealias FactLine = (name: String, text: String)

/// What the camera made of it.
private func pictureLines(_ facts: AssetFacts) -> [FactLine] {
    [
        ("Taken", facts.captureDate.map(taken) ?? ""), ("Zone", facts.zoneProof?.words ?? ""),
        ("Size", facts.shape ?? ""), ("Kind", facts.kindWords),
        ("Place", facts.location.map(place) ?? ""), ("Camera", facts.camera?.words ?? ""),
        ("Exposure", facts.exposure?.words ?? ""), ("Burst", facts.burstIdentifier ?? ""),
        ("Pair", facts.contentIdentifier ?? ""),
    ]
}

/// What people made of it, and where it is found.
private func descriptionLines(_ facts: AssetFacts, _ albums: [SmartAlbum]) -> [FactLine] {
    [
        ("Title", facts.title ?? ""), ("Caption", facts.caption ?? ""),
        ("Keywords", facts.keywords.joined(separator: ", ")), ("Rating", facts.judgement),
        ("Sidecar", facts.sidecarWords), ("Smart", albums.map(\.rawValue).joined(separator: ", ")),
    ]
}

/// A better source than the one that was taken, and what is wrong with its date.
private func passedOverLine(_ date: PassedOverDate) -> String {
    "Not taken \(printable(date.text)) (\(date.source.rawValue): \(date.doubt.rawValue))"
}

/// As the wall clock said, with its zone where it is known, and who says so.
private func taken(_ date: CaptureDate) -> String {
    let time = date.localTime.map { String($0.text.prefix(19)).replacing("T", with: " ") }
    let zone = date.offset.map(zoneText)
    let words = [time, zone].compactMap { $0 }.joined(separator: " ")
    return "\(words.isEmpty ? localTime(date.creationDate) : words) (\(date.source.rawValue))"
}

func zoneText(_ offset: Int) -> String {
    let minutes = abs(offset) / 60
    let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (offset < 0 ? "-" : "+") + parts.joined(separator: ":")
}

private func place(_ location: Location) -> String {
    "\(location.latitude), \(location.longitude)" + (location.altitude.map { ", \($0) m" } ?? "")
}

extension AssetFacts {
    /// What PhotoKit calls it, and how it is turned, where that is anything but plain.
    fileprivate var kindWords: String {
        let turned = orientation.map { $0 == 1 ? "" : "orientation \($0)" } ?? ""
        let movie = embeddedMovie.map { "with a movie of \(size($0.byteCount)) in its file" } ?? ""
        let words = [playbackStyle.rawValue] + mediaSubtypes.names + [turned, movie]
        return words.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    fileprivate var judgement: String {
        let stars = rating.map { "\($0) of 5 stars" }
        let heart = isFavorite.map { $0 ? "favorite" : "no favorite" }
        return [stars, heart].compactMap { $0 }.joined(separator: ", ")
    }

    /// Which fields a sidecar gave, in their order.
    fileprivate var sidecarWords: String {
        let words = Field.allCases.compactMap { field -> String? in
            filledBySidecar[field].map { "\(field.rawValue) by \($0.rawValue)" }
        }
        return words.joined(separator: ", ")
    }
}

extension AssetFacts {
    fileprivate var shape: String? {
        let size = pixelWidth.flatMap { width in pixelHeight.map { "\(width) x \($0)" } }
        let words = [size, duration.map { "\($0) s" }, frameRate.map { "\($0) frames a second" }, codec]
        let text = words.compactMap { $0 }.joined(separator: ", ")
        return text.isEmpty ? nil : text
    }
}

extension ZoneProof {
    fileprivate var words: String {
        (["\(zoneText(offset)), proven by \(kind.rawValue)"] + witnesses.map(\.description)).joined(separator: " ")
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
