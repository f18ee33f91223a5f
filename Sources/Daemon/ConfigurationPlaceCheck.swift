import Control
import PhotoModel
import Platform

extension Configuration {
    /// Refuses places where what albumd makes cannot be kept, before the start meets them: file systems of the kernel,
    /// and for the library those over a network, too.
    func checkPlaces() throws(ConfigurationError) {
        var problems: [ConfigurationError.Problem] = []
        let made = [("library", library), ("socket", PathBytes(socket).directory.bytes)]
        for (what, path) in made + (cloud.directory.map { [("cloud's directory", $0)] } ?? []) {
            guard let kind = kernelFileSystem(ofNew: path) else { continue }
            let message = "the \(what) would be on a file system of the kernel (\(kind)); choose another path"
            problems.append(pathPlaces.problem(with: what == "socket" ? socket : path, message))
        }
        if let kind = remoteFileSystem(ofNew: library) {
            let message = "the library would be on \(kind); it must be on a local disk, choose another path"
            problems.append(pathPlaces.problem(with: library, message))
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
    }
}
