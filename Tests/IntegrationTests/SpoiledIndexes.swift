import Platform
import SQLite
import TestSupport
import Testing

/// Damages the indexes of a catalogue that nobody has open, in the file itself.
func spoilIndexes(_ condition: String, _ path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    let pages = try connection.all(
        "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND \(condition)"
    ) { $0.int(0) }
    connection.close()
    var bytes = try PosixProgram().read(path)
    try #require(TestSupport.spoilIndexes(startingAt: pages, in: &bytes))
    try PosixProgram().write(path, bytes)
}
