import TestSupport

extension SampleMedia {
    /// A JPEG whose EXIF says when and with which camera it was taken, and nothing else.
    static func jpeg(taken date: String, with model: String) -> [UInt8] {
        let (model, date) = (Array(model.utf8) + [0], Array(date.utf8) + [0])
        let modelPlace = 8 + 2 + 2 * 12 + 4
        let subdirectory = modelPlace + model.count + model.count % 2
        let datePlace = subdirectory + 2 + 12 + 4
        var tiff = Array("II".utf8) + little(42, 2) + little(8, 4)
        tiff += little(2, 2) + field(0x0110, 2, model.count, modelPlace) + field(0x8769, 4, 1, subdirectory)
        tiff += little(0, 4) + model + Array(repeating: 0, count: model.count % 2)
        tiff += little(1, 2) + field(0x9003, 2, date.count, datePlace) + little(0, 4) + date
        let body = Array("Exif\0\0".utf8) + tiff
        let size = body.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + body + jpeg(1).dropFirst(2)
    }

    private static func field(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
