import PhotoStore
import Testing

extension RealLibrary {
    /// The library is refused in this way, and no byte of it is changed.
    func expectRefusal(_ matches: (LibraryError) -> Bool) throws {
        let before = try inventory()
        do {
            let library = try open()
            library.onThread { $0.close() }
            Issue.record("was opened")
        } catch let error as LibraryError {
            #expect(matches(error), "\(error)")
        }
        #expect(try inventory() == before)
    }
}
