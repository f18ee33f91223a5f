package import PhotoModel
import Platform

/// Looks at the size of every original once after a start: what was cut or emptied while albumd was down is told then,
/// and not only by the next verify.
///
/// The comparison of names that a start makes does not look at the files themselves: of a large library that takes long.
package struct SizeCheck {
    private let library: PhotoLibrary
    private let page: (ContentHash?) throws -> [Version]

    /// `page` gives some contents after a hash, none after the last.
    package init(_ library: PhotoLibrary, page: @escaping (ContentHash?) throws -> [Version]) {
        (self.library, self.page) = (library, page)
    }

    /// Writes down what it finds, and tells it; ends early where `isEnding` says so.
    ///
    /// Blocks. What the catalogue calls unsound already is left to a repair.
    package func run(isEnding: () -> Bool, found tell: (AuditFinding) -> Void) throws {
        let originals = library.directory.originals
        var last: ContentHash?
        while !isEnding() {
            let page = try page(last)
            guard let end = page.last?.content.hash else { return }
            last = end
            let looks = page.filter { $0.condition == .sound && $0.residency != .inCloud }
                .map { (content: $0.content, look: originals.look(at: $0.content, reading: false)) }
                .filter { $0.look.finding != .sound }
            if !looks.isEmpty { try library.onThread { try $0.record(looks) }.forEach(tell) }
        }
    }
}
