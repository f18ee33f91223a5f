/// A small random generator whose whole state is its seed, so that a run can be repeated (Steele, Lea, Flood 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True so many times out of one; draws nothing for 0, so that a fault that is off does not shift the others.
    package mutating func happens(_ rate: Double) -> Bool { rate > 0 && Double.random(in: 0..<1, using: &self) < rate }
}
