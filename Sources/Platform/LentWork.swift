/// A closure lent to other threads for the length of one call, to be run for each index of `0..<count`.
///
/// Who comes when all is done finds nothing to do. `finish` makes sure that nobody keeps a copy of the closure, as
/// `withoutActuallyEscaping` demands.
final class LentWork: Sendable {
    private struct State: Sendable {
        var next = 0
        var running = 0
        /// Let go at the end: the closure must not outlive the call that it was given to.
        var body: (@Sendable (Int) -> Void)?
    }

    private let count: Int
    private let state: Monitor<State>

    init(count: Int, body: @escaping @Sendable (Int) -> Void) {
        self.count = count
        state = Monitor(State(body: body))
    }

    /// Runs indices as long as there are some.
    func takePart() {
        while runNext() {
            state.update { $0.running -= 1 }
        }
    }

    /// Waits until every index has run.
    func finish() {
        state.wait { state -> Void? in
            guard state.next >= count, state.running == 0 else { return nil }
            state.body = nil
            return ()
        }
    }

    /// False where no index is left.
    ///
    /// Its copy of the closure is gone when it returns, before `running` falls.
    private func runNext() -> Bool {
        let work: (index: Int, body: @Sendable (Int) -> Void)? = state.update { state in
            guard state.next < count, let body = state.body else { return nil }
            defer { state.next += 1 }
            state.running += 1
            return (state.next, body)
        }
        guard let work else { return false }
        work.body(work.index)
        return true
    }
}
