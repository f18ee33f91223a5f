import Control
import PhotoModel

/// Streams of lines, which end with a word or were cut off.
extension API {
    /// Calls `each` with every row, and returns what the end says.
    ///
    /// Throws the stream's own error, and `unreachable` where it was cut off.
    func stream<Row: Codable, End: Codable>(
        _ operation: Operation, query: [String: String] = [:], body: (any Encodable)? = nil,
        of type: StreamLine<Row, End>.Type, each: @escaping (Row) -> Void
    ) throws(Problem) -> End {
        var end: Result<End, Problem>?
        try follow(operation, query: query, body: body) { bytes in
            end = Self.read(type, bytes, each)
            return end == nil
        }
        guard let end else {
            throw .unreachable("the answer of albumd ended too early", fix: "albumctl status, then try again")
        }
        return try end.get()
    }

    /// Nil while there is more to come.
    private static func read<Row: Codable, End: Codable>(
        _ type: StreamLine<Row, End>.Type, _ bytes: [UInt8], _ each: (Row) -> Void
    ) -> Result<End, Problem>? {
        do throws(Problem) {
            switch try JSON.decode(type, from: bytes) {
            case .row(let row): each(row)
            case .end(let end): return .success(end)
            case .error(let problem): return .failure(problem)
            }
            return nil
        } catch {
            return .failure(
                .failed(
                    "a line of albumd is not understood: \(error.detail)",
                    fix: "albumctl verify --deep, then albumctl repair"))
        }
    }
}
