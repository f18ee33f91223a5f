import Control
import FoundationEssentials
import PhotoModel
import Platform

/// The file of `--report`: what was asked, and what the answer was; durable before the command says that it is there.
final class SafetyReport {
    enum Form {
        case csv
        case json
    }

    private struct Document: Encodable {
        let date: Date
        let library: String
        let isSafe: Bool
        let safe: Int
        let files: Int
        let rows: [SafetyRow]
    }

    private let form: Form
    private let file: PartialFile
    private let files: any FileVerbs
    private var rows: [SafetyRow] = []
    /// What it is while it is written, so that it is not taken for one of the files.
    let status: FileStatus?

    /// The form is the suffix's.
    init(at argument: [UInt8], replaces: Bool, machine: Machine) throws(Problem) {
        switch argument.suffix(5) {
        case let suffix where suffix.suffix(4) == Array(".csv".utf8)[...]: form = .csv
        case Array(".json".utf8)[...]: form = .json
        default: throw .usage("--report wants a name that ends in .csv or .json")
        }
        files = machine.files
        file = try PartialFile(at: try absolutePath(argument), replaces: replaces, machine: machine)
        status = try? files.status(of: file.file)
    }

    func add(_ row: SafetyRow) { rows.append(row) }

    func finish(library: String, safe: Int, now: Date) throws(Problem) {
        let bytes: [UInt8]
        switch form {
        case .csv: bytes = csv(library)
        case .json:
            bytes = JSON.line(
                Document(
                    date: now, library: library, isSafe: safe == rows.count && safe > 0, safe: safe, files: rows.count,
                    rows: rows))
        }
        do throws(FileError) { try writeBytes(file.file, bytes, files: files, at: 0) } catch {
            throw .failed("the report could not be written: \(error)")
        }
        try file.finish()
    }

    private func csv(_ library: String) -> [UInt8] {
        let heading = "path,verdict,reason,sha256,bytes,localIdentifier,original,creationDate,albums,detail"
        let lines = rows.map { row in
            [
                row.path.map { shown($0, row.pathBase64) }, row.isSafe ? "safe" : "keep", row.reason?.rawValue,
                row.sha256?.hexadecimal, row.byteCount.map { String($0) }, row.localIdentifier?.description,
                row.original.map { "\(library)/\($0)" }, row.creationDate?.rfc3339,
                row.albums.joined(separator: "; "), row.detail,
            ].map { field($0 ?? "") }.joined(separator: ",")
        }
        return Array(([heading] + lines).joined(separator: "\r\n").utf8) + Array("\r\n".utf8)
    }

    /// RFC 4180; what a spreadsheet would run as a formula is text.
    private func field(_ text: String) -> String {
        let text = inert(text)
        let isFormula = text.first.map { "=+-@".contains($0) } ?? false
        let plain = isFormula ? "'" + text : text
        guard plain.contains(where: { ",\"".contains($0) }) else { return plain }
        return "\"" + plain.replacing("\"", with: "\"\"") + "\""
    }
}
