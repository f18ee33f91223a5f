package import Cloud

/// `[cloud]` of the configuration: which store, and what goes there.
package struct CloudSettings: Sendable, Equatable {
    package enum Engine: String, Sendable, CaseIterable {
        /// A directory beside the library, that behaves as a store does.
        case simulator
        /// No cloud: nothing moves, and what is there already stays unreachable.
        case none
    }

    package enum Upload: String, Sendable, CaseIterable {
        /// What is to leave the disk.
        case needed
        /// Every original.
        case all
    }

    package var engine = Engine.simulator
    /// Of the simulator; nil is `<library>-cloud`.
    package var directory: [UInt8]?
    package var policy = CloudPolicy()
    package var faults = SimulatedFaults()
    /// Of the simulator's chance.
    package var seed: UInt64 = 1

    /// Where the simulated store is.
    func directory(besideLibrary library: [UInt8]) -> [UInt8] { directory ?? library + Array("-cloud".utf8) }
}
