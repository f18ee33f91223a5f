import PhotoModel
import Platform

/// When what the store denied once is asked for again, in words.
///
/// Until then another question changes nothing (RULES R42).
func inMinutes(_ wait: Duration) -> String {
    let seconds = wait.components.seconds
    return seconds < 60 ? "within a minute" : "in \(counted(Int((seconds + 59) / 60), "minute"))"
}

/// What to do about a copy that is not as it should be: to ask again, and when that can help.
func fixOfCopy(of asset: LocalIdentifier, wait: Duration?) -> String {
    let ask = "albumctl cloud verify \(asset)"
    guard let wait else { return ask }
    return "\(ask), \(inMinutes(wait)) and not before: only then a second answer counts; albumd asks by itself, too"
}
