/// Which albumd this is: the daemon and the command line are released together.
package enum Release {
    package static let version = "0.1.0"
}
