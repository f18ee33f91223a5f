/// Elements by the time they are due, the earliest first: a binary heap.
///
/// Equal times keep no order.
struct DeadlineQueue<Element: Sendable>: Sendable {
    private var heap: [(due: Duration, element: Element)] = []

    var earliest: Duration? { heap.first?.due }

    mutating func add(_ element: Element, due: Duration) {
        heap.append((due, element))
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out the earliest element if it is due by `now`.
    mutating func removeEarliest(by now: Duration) -> (due: Duration, element: Element)? {
        guard let first = heap.first, first.due <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink()
        return first
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let child = children.min(by: { heap[$0].due < heap[$1].due }), heap[child].due < heap[parent].due
            else {
                return
            }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
