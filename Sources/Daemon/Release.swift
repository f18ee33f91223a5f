/// The version that `albumd --version`, the API and the logs tell.
package enum Release {
    package static let version = "0.1.0"
}
