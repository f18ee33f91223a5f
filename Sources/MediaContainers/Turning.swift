/// How a picture has to be turned: mirrored left to right or not, then turned clockwise by quarters.
package struct Turning: Hashable, Sendable {
    private var isMirrored = false
    private var quarters = 0

    package init() {}

    package mutating func turnClockwise(quarters count: Int) { quarters = (quarters + count % 4 + 4) % 4 }

    package mutating func mirrorLeftToRight() {
        isMirrored.toggle()
        quarters = (4 - quarters) % 4
    }

    package mutating func mirrorTopToBottom() {
        mirrorLeftToRight()
        turnClockwise(quarters: 2)
    }

    /// As EXIF numbers it, 1 to 8 (EXIF 2.32, 4.6.4, Orientation).
    package var orientation: Int { (isMirrored ? [2, 7, 4, 5] : [1, 6, 3, 8])[quarters] }
}
