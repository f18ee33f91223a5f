import Glibc
import PhotoModel
import Platform

/// What `--check-config` says of a configuration that is right: which files were read, and what they come to.
struct ConfigurationCheck {
    /// The file that `--config` named, or the usual one.
    let file: [UInt8]
    let folders: FoldersFile
    let configuration: Configuration

    /// Throws where anything is wrong.
    init(_ named: [UInt8]?, at places: ConfigurationPlaces) throws(ConfigurationError) {
        file = named ?? places.file
        let own = try Configuration.load(named, at: places)
        folders = FoldersFile(besideLibrary: own.library)
        configuration = try own.adding(folders)
        try configuration.checkFolders()
    }

    var text: String {
        let count = counted(configuration.folders.count, "folder")
        return """
            The configuration is right: library '\(printable(configuration.library))', \(count).
            Checked   \(line(of: file, absent: "the defaults hold"))
            Checked   \(line(of: folders.path, absent: "no command added a folder"))

            """
    }

    private func line(of path: [UInt8], absent: String) -> String {
        let isThere = path.withCPath { access($0, F_OK) } == 0
        return "'\(printable(path))'" + (isThere ? "" : ", which is not there: \(absent)")
    }
}
