import Platform

/// Looks into some directories of one, made on other threads where there are some.
struct BegunLooks: Sendable {
    typealias Look = Result<DirectoryLook, FileError>

    /// Of the directories among the entries of the one above.
    let indices: [Int]
    private let looks: Monitor<[Look?]>
    private let end: @Sendable () -> Void

    init(
        _ indices: [Int], begin: BeginLoop,
        _ body: @escaping @Sendable (_ index: Int) throws(FileError) -> DirectoryLook
    ) {
        let looks = Monitor([Look?](repeating: nil, count: indices.count))
        (self.indices, self.looks) = (indices, looks)
        end = begin(indices.count) { number in
            let look = Result { () throws(FileError) in try body(indices[number]) }
            looks.update { $0[number] = look }
        }
    }

    /// Waits for all of them, in the order of the indices.
    func finish() -> [Look] {
        end()
        return looks.update { $0.compactMap { $0 } }
    }
}
