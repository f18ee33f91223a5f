package import PhotoModel
package import Platform

/// What the daemon was told to be: the configuration file, with the defaults where it is silent.
package struct Configuration: Sendable, Equatable {
    /// The library's directory, absolute.
    package var library: [UInt8]
    /// The control socket: absolute, at most 107 bytes (unix(7)).
    package var socket: [UInt8]
    /// Events less urgent than this are not logged.
    package var logLevel: Log.Level
    package var folders: [FolderRule]
    package var cloud = CloudSettings()
    /// For errors only.
    var pathPlaces = PathPlaces()

    /// The defaults at these places, with no folder.
    ///
    /// This is their only home; the defaults of a folder are `FolderRule`'s.
    package init(at places: ConfigurationPlaces) {
        library = places.library
        socket = places.socket
        logLevel = .notice
        folders = []
    }
}
