import Platform

/// A look at something that may never answer, as a network disk whose server is gone.
///
/// Whoever asks waits for a moment at most; the look goes on, and no second one is begun meanwhile.
final class Glance<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var isLooking = false
        /// What the last look saw, and how many there were.
        var seen: Value?
        var count = 0
    }

    private let state = Monitor(State())
    private let machine: Machine
    private let look: @Sendable () -> Value

    init(on machine: Machine, _ look: @escaping @Sendable () -> Value) { (self.machine, self.look) = (machine, look) }

    /// What is seen by a look that ends after this was called; nil where none does in time.
    func now(within patience: Duration = .seconds(1)) -> Value? {
        let (count, isFirst) = state.update { state in
            defer { state.isLooking = true }
            return (state.count, !state.isLooking)
        }
        if isFirst { begin() }
        return state.wait(for: patience) { $0.count > count ? $0.seen : nil }
    }

    private func begin() {
        machine.runApart { [state, look] in
            let seen = look()
            state.update { ($0.isLooking, $0.seen, $0.count) = (false, seen, $0.count + 1) }
        }
    }
}
