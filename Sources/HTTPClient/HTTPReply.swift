/// What came back: any status, with its body.
package struct HTTPReply: Sendable {
    package var status: Int
    /// In the order in which they came; names in lower case.
    package var headers: [(name: String, value: String)]
    /// Empty where the body went elsewhere: to a descriptor, or line by line.
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The first header of that name; give it in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
