import FoundationEssentials
import PhotoModel

/// The date in a file's name, where it is written as phones and messengers write it.
///
/// `IMG_20190102_030405.jpg`, `Screenshot_2020-01-02-03-04-05.png`, `2018-04-12 19.24.49.mov`,
/// `VID-20190102-WA0001.mp4`, `2015-02-04.jpg`. Eight digits alone are taken for a day only where `-WA` follows: they
/// may be a number.
struct FilenameDate {
    let text: String
    let moment: CaptureMoment
    let precision: CapturePrecision

    init?(_ name: [UInt8]) {
        let stem = name.stem
        let starts = stem.indices.lazy.filter { stem.isDigit($0) && !stem.isDigit($0 - 1) }
        guard let read = starts.compactMap({ FilenameDate(stem, at: $0) }).first else { return nil }
        self = read
    }

    /// Google's Pixels name their pictures by UTC (`PXL_20231006_063108407`); all others by the wall clock.
    private init?(_ stem: [UInt8], at start: Int) {
        guard let day = Day(stem, at: start) else { return nil }
        if let time = Time(stem, after: day) {
            let isUTC = stem.starts(with: "PXL_".utf8)
            text = String(decoding: stem[start..<time.end], as: UTF8.self)
            moment = isUTC ? .instant(time.civil.instant(offset: 0)) : .local(time.civil)
            precision = .second
            return
        }
        guard day.isSure(in: stem), let civil = CivilTime(day.year, [day.month, day.day, 0, 0, 0]) else { return nil }
        text = String(decoding: stem[start..<day.end], as: UTF8.self)
        moment = .local(civil)
        precision = .day
    }
}

/// `20190102`, `2019-01-02`, `2019_01_02` or `2019.01.02`, of 1990 to 2099.
private struct Day {
    let year: Int
    let month: Int
    let day: Int
    let end: Int
    private let hasSeparators: Bool

    init?(_ name: [UInt8], at start: Int) {
        guard let year = name.number(at: start, 4), (1990...2099).contains(year) else { return nil }
        let separator = name.indices.contains(start + 4) && !name.isDigit(start + 4) ? name[start + 4] : nil
        let step = separator == nil ? 2 : 3
        let first = start + (separator == nil ? 4 : 5)
        if let separator {
            guard "-_.".utf8.contains(separator), name.indices.contains(first + 2), name[first + 2] == separator else {
                return nil
            }
        }
        guard let month = name.number(at: first, 2), let day = name.number(at: first + step, 2),
            CivilTime(year, [month, day, 0, 0, 0]) != nil, !name.isDigit(first + step + 2)
        else { return nil }
        (self.year, self.month, self.day, hasSeparators) = (year, month, day, separator != nil)
        end = first + step + 2
    }

    /// Whether it is a day even without a time behind it.
    func isSure(in name: [UInt8]) -> Bool {
        hasSeparators || name[end...].starts(with: "-WA".utf8)
    }
}

/// `_030405`, `_030405123`, `-03-04-05`, ` 03.04.05`, ` at 10.45.52`.
private struct Time {
    let civil: CivilTime
    let end: Int

    init?(_ name: [UInt8], after day: Day) {
        guard let first = Time.start(name, day.end), let hour = name.number(at: first, 2) else { return nil }
        let isCompact = name.isDigit(first + 2)
        let step = isCompact ? 2 : 3
        guard isCompact || name.isSeparator(first + 2) && name.isSeparator(first + 5),
            let minute = name.number(at: first + step, 2), let second = name.number(at: first + 2 * step, 2)
        else { return nil }
        let digitsEnd = first + 2 * step + 2
        let fraction = isCompact ? name.number(at: digitsEnd, 3) : nil
        guard let civil = CivilTime(day.year, [day.month, day.day, hour, minute, second]) else { return nil }
        let end = fraction == nil ? digitsEnd : digitsEnd + 3
        guard !name.isDigit(end) else { return nil }
        self.civil = CivilTime(microseconds: civil.microseconds + Int64(fraction ?? 0) * 1000)
        self.end = end
    }

    /// Where the hour begins.
    private static func start(_ name: [UInt8], _ end: Int) -> Int? {
        for word in [" at ", "_at_", "-at-"] where name[end...].starts(with: word.utf8) { return end + 4 }
        guard name.indices.contains(end), "_- T.".utf8.contains(name[end]) else { return nil }
        return end + 1
    }
}

extension [UInt8] {
    fileprivate func isDigit(_ index: Int) -> Bool {
        indices.contains(index) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[index])
    }

    fileprivate func isSeparator(_ index: Int) -> Bool {
        indices.contains(index) && "-_.:".utf8.contains(self[index])
    }

    /// Exactly so many digits.
    fileprivate func number(at index: Int, _ count: Int) -> Int? {
        guard (index..<index + count).allSatisfy(isDigit) else { return nil }
        return self[index..<index + count].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
