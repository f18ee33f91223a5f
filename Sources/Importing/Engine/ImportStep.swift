import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// What one step has taken of what was due, and not imported yet.
struct ImportStep {
    var roots: RootsOfStep
    var takenCount = 0
    var batches: [[Candidate]] = []
    /// Imported before; they still have to be removed.
    var leftovers: [Source] = []

    /// Nil where there is none.
    mutating func takeBatch() -> [Candidate]? { batches.isEmpty ? nil : batches.removeFirst() }

    mutating func takeLeftovers() -> [Source] {
        defer { leftovers = [] }
        return leftovers
    }
}

/// The roots of the folders that one step needs, each opened and checked once.
struct RootsOfStep {
    private let engine: ImportEngine
    private var roots: [UUID: OpenFile?] = [:]

    init(_ engine: ImportEngine) { self.engine = engine }

    func folder(of uuid: UUID) -> FolderState? { engine.folders.values.first { $0.registration?.folder == uuid } }

    mutating func root(of uuid: UUID) throws -> OpenFile? {
        if let root = roots[uuid] { return root }
        guard let folder = folder(of: uuid) else { return nil }
        let root = try engine.look(at: folder.path)
        roots[uuid] = .some(root)
        return root
    }
}
