import FoundationEssentials
import MediaFacts
import PhotoModel

/// Which of the dates on offer is believed.
extension FactEvidence {
    /// The best source whose date can be true, and those before it that cannot, with their doubts.
    ///
    /// No date where nothing is left: a file that came without even a modification time.
    var judgedDate: (date: CaptureDate?, passedOver: [PassedOverDate]) {
        var passedOver: [PassedOverDate] = []
        for candidate in dateCandidates {
            guard let doubt = candidate.doubt(at: now) else { return (candidate.date, passedOver) }
            let text = String(decoding: candidate.text.utf8.prefix(64), as: UTF8.self)
            passedOver.append(PassedOverDate(source: candidate.source, text: text, doubt: doubt))
        }
        return (nil, passedOver)
    }
}

extension DateCandidate {
    fileprivate var date: CaptureDate? {
        moment.map { CaptureDate($0, precision: precision, source: source) }
    }

    /// Why it cannot be true; nil where it can.
    ///
    /// A wall clock can be 14 hours ahead of UTC, so that only what lies more than a day ahead is the future.
    fileprivate func doubt(at now: Date) -> PassedOverDate.Doubt? {
        if saysNothing { return .zero }
        guard let date else { return .impossible }
        let microseconds = date.creationDate.microseconds
        if isStartOfACount(microseconds) { return .zero }
        if microseconds < earliest { return .impossible }
        return microseconds > now.microseconds + 86_400_000_000 ? .future : nil
    }

    /// `0000:00:00 00:00:00`, in whatever separators: at least a year of zeros, and no other digit.
    private var saysNothing: Bool {
        let digits = text.filter(\.isNumber)
        return digits.count >= 4 && digits.allSatisfy { $0 == "0" }
    }

    /// Movie headers count from 1904, and Unix from 1970: their first second is a clock that was never set.
    private func isStartOfACount(_ microseconds: Int64) -> Bool {
        precision == .second && (microseconds == 0 || microseconds == start1904)
    }
}

/// 1904-01-01T00:00:00Z (QuickTime File Format, movie header atom).
private let start1904: Int64 = -2_082_844_800_000_000
/// 1900-01-01: no photo in a file has a date before it that a camera or a person is likelier to have meant than not.
private let earliest: Int64 = -2_208_988_800_000_000
