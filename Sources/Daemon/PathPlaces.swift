/// Where the paths of a configuration stand in its files, for errors that are found when all is read.
///
/// It is no part of what a configuration says: any two are equal.
struct PathPlaces: Sendable, Equatable {
    struct Spot: Sendable {
        var file: String
        var place: ConfigurationError.Place
    }

    /// By path as it is written; the first and the last place of each.
    private var spots: [[UInt8]: [Spot]] = [:]

    static func == (_: PathPlaces, _: PathPlaces) -> Bool { true }

    mutating func note(_ path: [UInt8], in file: String, at place: ConfigurationError.Place) {
        spots[path, default: []].append(Spot(file: file, place: place))
    }

    mutating func add(_ other: PathPlaces) { spots.merge(other.spots, uniquingKeysWith: +) }

    func first(_ path: [UInt8]) -> Spot? { spots[path]?.first }
    func last(_ path: [UInt8]) -> Spot? { spots[path]?.last }

    /// A problem with the path of a folder, where it is written last.
    func problem(with path: [UInt8], _ message: String) -> ConfigurationError.Problem {
        let spot = last(path)
        return ConfigurationError.Problem(file: spot?.file ?? "folders", place: spot?.place, message: message)
    }
}
