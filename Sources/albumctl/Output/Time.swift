import FoundationEssentials
import Glibc
import PhotoModel

/// An instant in this machine's own zone, `2026-11-30 03:01:09` (localtime_r(3), strftime(3)).
///
/// FoundationEssentials knows no zones; glibc does.
func localTime(_ date: Date) -> String { formattedTime(date, "%Y-%m-%d %H:%M:%S") ?? date.rfc3339 }

/// The same in the form of the Trash specification: `2026-11-30T03:01:09`.
func trashTime(_ date: Date) -> String { formattedTime(date, "%Y-%m-%dT%H:%M:%S") ?? date.rfc3339 }

/// How long ago, in its largest unit: `9s`, `5m`, `3h`, `12d`; `now` for what is yet to come.
func age(of date: Date, at now: Date) -> String {
    let seconds = Int64(max(-1, min(1e12, now.timeIntervalSince(date))))
    switch seconds {
    case ..<0: return "now"
    case ..<60: return "\(seconds)s"
    case ..<3600: return "\(seconds / 60)m"
    case ..<86_400: return "\(seconds / 3600)h"
    default: return "\(seconds / 86_400)d"
    }
}

/// In the words of strftime(3); nil beyond every calendar.
func formattedTime(_ date: Date, _ format: String) -> String? {
    // Beyond this no calendar is meant, and a year would not fit.
    guard abs(date.timeIntervalSince1970) < 1e11 else { return nil }
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var civil = tm()
    // localtime_r need not look at TZ by itself.
    tzset()
    guard localtime_r(&seconds, &civil) != nil else { return nil }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &civil)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
