import Glibc

/// The whole reader of media but its lock, for AddressSanitizer: reads each file as every format that is named.
///
/// The lock is left out, for what watches the memory needs more of it than the lock allows. What is read does not count.
@main
private struct WholeWorker {
    /// `formats` parted by commas, then paths.
    static func main() {
        let libraries = Libraries()
        let formats = CommandLine.arguments.dropFirst().first?.split(separator: ",").map(String.init) ?? []
        for path in CommandLine.arguments.dropFirst(2) {
            for format in formats {
                let descriptor = open(path, O_RDONLY)
                guard descriptor >= 0 else { exit(2) }
                print("reading \(path) as \(format)")
                fflush(nil)
                _ = FactsReader(file: OpenedFile(descriptor), format: format, libraries: libraries).read()
                close(descriptor)
            }
        }
    }
}
