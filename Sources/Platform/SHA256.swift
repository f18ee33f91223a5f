import CCrypto

/// SHA-256 over bytes that come in pieces (EVP_DigestInit_ex(3)).
///
/// A value: a copy goes on by itself.
///
/// Traps where libcrypto fails: that is memory at its end, or a libcrypto without SHA-256.
package struct ContentHasher {
    private var context = DigestContext()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bytes)
    }

    /// The same in pieces of 256 KiB, which take a core a fraction of a millisecond.
    package mutating func update(_ bytes: UnsafeRawBufferPointer, betweenPieces pause: () -> Void) {
        for start in stride(from: 0, to: bytes.count, by: 1 << 18) {
            update(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 1 << 18, bytes.count)]))
            pause()
        }
    }

    /// The 32 bytes.
    ///
    /// What is added afterwards continues as if this had not been asked.
    package func finish() -> [UInt8] { DigestContext(copying: context).finish() }

    /// The hash of a whole file, read in pieces of 1 MiB.
    package static func hash(file: OpenFile, files: any FileVerbs) throws(FileError) -> [UInt8] {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        var hasher = ContentHasher()
        var offset: Int64 = 0
        while true {
            let count = try files.read(file, into: piece, at: offset)
            if count == 0 { return hasher.finish() }
            hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            offset += Int64(count)
        }
    }
}

/// Owns an EVP_MD_CTX.
///
/// Returns 1 for success, as all of EVP does.
private final class DigestContext {
    private let context: OpaquePointer

    init() {
        context = DigestContext.allocate()
        check(EVP_DigestInit_ex(context, EVP_sha256(), nil))
    }

    init(copying other: DigestContext) {
        context = DigestContext.allocate()
        check(EVP_MD_CTX_copy_ex(context, other.context))
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) { check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)) }

    func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        check(EVP_DigestFinal_ex(context, &digest, nil))
        return digest
    }

    private static func allocate() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("EVP_MD_CTX_new: out of memory") }
        return context
    }
}

private func check(_ result: Int32) { precondition(result == 1, "libcrypto cannot compute SHA-256") }
