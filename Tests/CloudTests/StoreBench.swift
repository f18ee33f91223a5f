import Cloud
import PhotoModel
import Platform
import TestSupport
import Testing

/// A simulated store on a simulated disk, whose pauses let the machine's clock pass.
struct StoreBench {
    let simulated: SimulatedMachine
    let store: SimulatedStore

    init(seed: UInt64 = 1, faults: SimulatedFaults = SimulatedFaults()) throws {
        simulated = SimulatedMachine(seed: seed)
        try simulated.program.makeDirectory(Array("/cloud".utf8))
        store = try Self.open(simulated, seed: seed, faults: faults)
    }

    static func open(
        _ simulated: SimulatedMachine, seed: UInt64 = 1, faults: SimulatedFaults = SimulatedFaults()
    ) throws -> SimulatedStore {
        let root = try simulated.files.openDirectory(Array("/cloud".utf8))
        return try SimulatedStore(in: root, machine: simulated.machine, faults: faults, seed: seed) {
            simulated.advance(by: $0)
        }
    }
}

func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

func body(_ text: String) -> ObjectBody { ObjectBody(Array(text.utf8)) }

extension ObjectStore {
    /// The whole object as text.
    func text(_ key: ObjectKey, from offset: Int64 = 0) throws -> String {
        var bytes: [UInt8] = []
        try get(key, from: offset) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
