import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// `verify`: the catalogue held against the disk, and the journal against the catalogue; NDJSON, a row a line.
extension LibraryService {
    func verify(_ request: VerifyRequest) throws -> Response {
        guard (0.0...100.0).contains(request.samplePercent ?? 1),
            (1...1_000_000_000_000).contains(request.bytesPerSecond ?? 1)
        else {
            throw Problem.badRequest("samplePercent is from 0 to 100, bytesPerSecond from 1 to a million million")
        }
        let reader = VerifyReader(service: self, request, turn: try verification.require())
        let stream = AsyncStream<[UInt8]> { await reader.next() }
        return Response(status: 200, contentType: "application/x-ndjson", body: .stream(stream))
    }
}
