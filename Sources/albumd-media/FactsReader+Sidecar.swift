import MediaContainers
import MediaFacts

/// XMP that lies beside a photo, in a file of its own.
extension FactsReader {
    mutating func readSidecar() {
        guard libraries.hasExempi else { return note(fault: "exempi could not be started") }
        guard let packet = file.bytes.part(from: 0, to: file.byteCount) else {
            return note(fault: "XMP of more than a mebibyte")
        }
        xmp = packet.bytes(at: 0, count: Int(packet.byteCount))
    }
}
