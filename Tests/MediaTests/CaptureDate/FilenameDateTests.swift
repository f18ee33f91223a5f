import PhotoModel
import Testing

@testable import Media

@Suite struct FilenameDateTests {
    @Test(arguments: [
        ("IMG_20190102_030405.jpg", "2019-01-02T03:04:05"), ("IMG_20190102_030405~2.jpg", "2019-01-02T03:04:05"),
        ("IMG_20190102_030405123.jpg", "2019-01-02T03:04:05.123000"), ("20190102_030405.mp4", "2019-01-02T03:04:05"),
        ("20190102_030405(0).jpg", "2019-01-02T03:04:05"), ("MVIMG_20190102_030405.jpg", "2019-01-02T03:04:05"),
        ("VID_20190102_030405.mp4", "2019-01-02T03:04:05"),
        ("Screenshot_20190102-030405_Maps.jpg", "2019-01-02T03:04:05"),
        ("Screenshot_2020-01-02-03-04-05-678_app.png", "2020-01-02T03:04:05"),
        ("Screenshot_2019-05-21_at_10.45.52.png", "2019-05-21T10:45:52"),
        ("Screenshot 2019-05-21 at 10.45.52.png", "2019-05-21T10:45:52"),
        ("WhatsApp Image 2019-01-02 at 03.04.05.jpeg", "2019-01-02T03:04:05"),
        ("2018-04-12_19_24_49.mov", "2018-04-12T19:24:49"), ("2018-04-12 19.24.49.mov", "2018-04-12T19:24:49"),
        ("signal-2019-01-02-030405.jpg", "2019-01-02T03:04:05"),
        ("photo_2019-01-02_03-04-05.jpg", "2019-01-02T03:04:05"),
    ])
    func aTimeIsRead(name: String, time: String) throws {
        let date = try #require(FilenameDate(Array(name.utf8)))
        #expect(date.moment == .local(try #require(CivilTime(text: time))))
        #expect(date.precision == .second)
    }

    @Test(arguments: [
        ("VID-20190102-WA0001.mp4", "2019-01-02"), ("IMG-20190102-WA0003.jpg", "2019-01-02"),
        ("2015-02-04.jpg", "2015-02-04"), ("Rome 2015_02_04 (3).jpg", "2015-02-04"),
    ])
    func aDayWithoutATimeIsADay(name: String, day: String) throws {
        let date = try #require(FilenameDate(Array(name.utf8)))
        #expect(date.moment == .local(try #require(CivilTime(text: "\(day)T00:00:00"))))
        #expect(date.precision == .day)
    }

    /// The pixels of one Pixel say 08:31:08 +02:00.
    @Test func aPixelNamesItsPicturesByUTC() throws {
        let date = try #require(FilenameDate(Array("PXL_20231006_063108407.jpg".utf8)))
        let time = try #require(CivilTime(text: "2023-10-06T06:31:08.407"))
        #expect(date.moment == .instant(time.instant(offset: 0)))
    }

    @Test(arguments: [
        "IMG_0001.JPG", "DSC_20190102.jpg", "20190102.jpg", "IMG_20191302_030405.jpg", "IMG_20190230_030405.jpg",
        "120190102_030405.jpg", "18991231_030405.jpg", "DSC01234.ARW", "", ".", "2019", "2019-", "2019-01-0",
        "a.20190102_030405",
        "23481593101_ef7d55f39d_o.jpg", "2019-01_02.jpg", "550e8400-e29b-41d4-a716-446655440000.jpg",
    ])
    func whatIsNoDateIsNotRead(name: String) { #expect(FilenameDate(Array(name.utf8)) == nil) }

    @Test func aTimeThatNoClockHasLeavesTheDay() throws {
        let date = try #require(FilenameDate(Array("2019-01-02 25.04.05.jpg".utf8)))
        #expect(date.precision == .day)
    }

    @Test func bytesThatAreNoTextAreRead() throws {
        let name: [UInt8] = [0xFF, 0xFE] + Array("_20190102_030405\u{0}.jpg".utf8)
        #expect(FilenameDate(name) != nil)
    }
}
