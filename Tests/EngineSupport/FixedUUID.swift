package import FoundationEssentials

/// An identifier of a test's own, the same in every run, and none that a simulated machine makes.
package func fixedUUID(_ number: UInt8) -> UUID {
    UUID(uuid: (0xFF, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
}
