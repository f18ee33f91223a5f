import FoundationEssentials
import PhotoModel
import Platform
import TestSupport
import Testing

@Suite struct TimestampTests {
    /// Microseconds as `date -u -d TEXT +%s` gives the seconds.
    static let instants: [(text: String, microseconds: Int64)] = [
        ("1970-01-01T00:00:00.000000Z", 0),
        ("2026-11-30T02:01:09.250000Z", 1_796_004_069_250_000),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("1969-07-20T20:17:40.500000Z", -14_182_939_500_000),
        ("1900-03-01T00:00:00.000000Z", -2_203_891_200_000_000),
        ("1826-06-01T12:00:00.000000Z", -4_531_118_400_000_000),
        ("1582-10-04T00:00:00.000000Z", -12_220_243_200_000_000),
        ("0000-01-01T00:00:00.000000Z", -62_167_219_200_000_000),
        ("2000-02-29T23:59:59.000001Z", 951_868_799_000_001),
        ("2024-02-29T00:00:00.000000Z", 1_709_164_800_000_000),
        ("2400-02-29T12:00:00.000000Z", 13_574_606_400_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ]

    @Test(arguments: instants)
    func anInstantIsWritten(text: String, microseconds: Int64) {
        #expect(Date(microseconds: microseconds).rfc3339 == text)
    }

    @Test(arguments: instants)
    func anInstantIsRead(text: String, microseconds: Int64) {
        #expect(Date(rfc3339: text)?.microseconds == microseconds)
    }

    /// What the catalogue stores, the journal writes and reads, and the catalogue stores again.
    @Test func everyStoredInstantComesBackTheSame() throws {
        var random = SeededRandom(seed: 20_261_130)
        for _ in 0..<20_000 {
            let seconds = Double.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let stored = Date(timeIntervalSince1970: seconds).microseconds
            #expect(Date(microseconds: stored).microseconds == stored)
            let text = Date(microseconds: stored).rfc3339
            #expect(Date(rfc3339: text)?.microseconds == stored, "\(text)")
        }
    }

    @Test(arguments: [
        ("2026-11-30T02:01:09Z", "2026-11-30T02:01:09.000000Z"),
        ("2026-11-30t02:01:09z", "2026-11-30T02:01:09.000000Z"),
        ("2026-11-30 02:01:09Z", "2026-11-30T02:01:09.000000Z"),
        ("2026-11-30T02:01:09.5Z", "2026-11-30T02:01:09.500000Z"),
        ("2026-11-30T02:01:09.1234564999Z", "2026-11-30T02:01:09.123456Z"),
        ("2026-11-30T23:59:59.9999996Z", "2026-12-01T00:00:00.000000Z"),
        ("2026-11-30T02:01:09+05:30", "2026-11-29T20:31:09.000000Z"),
        ("2026-12-31T22:00:00-03:00", "2027-01-01T01:00:00.000000Z"),
        ("2026-11-30T02:01:09-00:00", "2026-11-30T02:01:09.000000Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"),
    ])
    func otherFormsOfRFC3339AreRead(text: String, canonical: String) {
        #expect(Date(rfc3339: text)?.rfc3339 == canonical)
    }

    @Test(arguments: [
        "", "2026", "2026-11-30", "2026-11-30T02:01:09", "2026-11-30T02:01Z", "2026-11-31T00:00:00Z",
        "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-11-00T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T02:60:09Z", "2026-11-30T02:01:61Z",
        "2026-11-30T02:01:09.Z", "2026-11-30T02:01:09.x5Z", "2026-11-30T02:01:09+0530", "2026-11-30T02:01:09+24:00",
        "2026-11-30T02:01:09Zx", " 2026-11-30T02:01:09Z", "+026-11-30T02:01:09Z", "2026-1-30T02:01:09Z",
        "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "２０２６-11-30T02:01:09Z",
    ])
    func whatIsNoInstantIsNotRead(text: String) {
        #expect(Date(rfc3339: text) == nil)
    }

    @Test func instantsBeyondWhatCanBeWrittenAreHeldAtTheEnds() {
        #expect(Date.distantFuture.microseconds < Date(timeIntervalSince1970: 1e300).microseconds)
        #expect(Date(timeIntervalSince1970: 1e300).rfc3339 == "9999-12-31T23:59:59.999999Z")
        #expect(Date(timeIntervalSince1970: -.infinity).rfc3339 == "0000-01-01T00:00:00.000000Z")
    }
}
