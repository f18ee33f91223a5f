import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// Refuses to make a new library where a folder is marked: its library was there before, and is so elsewhere.
///
/// The library's own volume is probably not mounted; or it is lost, and the cloud has it. What was saved into a new one would lie hidden below the mount
/// point later, and its sources might be gone by then (RULES R8, R32).
func requireLibraryOfFolders(_ configuration: Configuration, machine: Machine) throws {
    guard LibraryDirectory.isAbsent(configuration.library, files: machine.files) else { return }
    for folder in configuration.folders {
        guard let marker = FolderMarker.read(at: folder.path, files: machine.files) else { continue }
        throw LibraryError.libraryOfFolderAbsent(
            path: LibraryDirectory.display(configuration.library), folder: PathBytes(folder.path),
            library: marker.library,
            isInCloud: CloudService.has(marker.library, configuration, machine: machine))
    }
}
