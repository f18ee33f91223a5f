package import FoundationEssentials
package import PhotoModel
package import PhotoStore

/// The catalogue's rows of one folder, walked through beside a scan in the order of path bytes.
///
/// Rows are read a page at a time, each its own short read, so that a long scan keeps no reader open.
package struct SourceMerge {
    private let catalogue: Catalogue
    private let folder: UUID
    private var page: [SourceGlance] = []
    private var next = 0
    private var last: PathBytes?
    private var isAtEnd = false
    private static let pageSize = 2000

    package init(folder: UUID, catalogue: Catalogue) {
        self.folder = folder
        self.catalogue = catalogue
    }

    /// The row of `path`, and the rows passed on the way: those the scan did not find.
    package mutating func advance(to path: PathBytes) throws -> (row: SourceGlance?, absent: [SourceGlance]) {
        var absent: [SourceGlance] = []
        while let row = try peek() {
            // Most rows are the very one.
            if row.path == path {
                next += 1
                return (row, absent)
            }
            if path < row.path { return (nil, absent) }
            next += 1
            absent.append(row)
        }
        return (nil, absent)
    }

    /// The rows after the last path that was advanced to.
    package mutating func rest() throws -> [SourceGlance] {
        var absent: [SourceGlance] = []
        while let row = try peek() {
            next += 1
            absent.append(row)
        }
        return absent
    }

    private mutating func peek() throws -> SourceGlance? {
        if next < page.count { return page[next] }
        guard !isAtEnd else { return nil }
        page = try catalogue.glances(in: folder, after: last, limit: SourceMerge.pageSize)
        next = 0
        last = page.last?.path ?? last
        isAtEnd = page.count < SourceMerge.pageSize
        return page.first
    }
}
