// Files that the disk of a cloud damages: they are never handed out, and devices that have them send them again.
import CloudProtocol
import FileStore
import Foundation
import Ledger
import TestKit
import Testing

@testable import Cloud

@Suite struct DamagedFilesOfACloud: TalksToACloud {
    private func damage(_ file: TestFile, of user: EntityID, _ cloud: CloudUnderTest) throws {
        try TestKit.damage(cloud.files().folder(of: user).path(of: file.hash))
    }

    /// A cloud with a file of a receipt.
    private func cloudWithFile(_ transport: Transport, _ file: TestFile) async throws -> (
        cloud: CloudUnderTest, token: SessionToken, user: EntityID
    ) {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, receipt(1, of: file)), token)
        try await file.send(to: cloud.api, token)
        return (cloud, token, try cloud.user(token))
    }

    @Test(arguments: Transport.allCases) func areNotHandedOutButAskedFor(_ transport: Transport) async throws
    {
        let file = try TestFile(FilePart.mostBytes + 500)
        let (cloud, token, user) = try await cloudWithFile(transport, file)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
        try damage(file, of: user, cloud)
        // The damaged byte is not in this part.
        let end = FileRange(file.key, offset: Int64(FilePart.mostBytes))
        await #expect(throws: CloudError.file(.noSuchFile)) { try await cloud.api.bytes(end, token) }
        #expect(try await cloud.api.missingFiles(after: nil, token).keys == [file.key])
        #expect(cloud.onDisk(user) == ["\(file.hash).damaged"], "it may be the last copy")
        #expect(try await file.send(to: cloud.api, token).isComplete)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
        #expect(cloud.onDisk(user) == [file.hash.description])
    }

    @Test(arguments: Transport.allCases) func areNotTakenForStoredIfADeviceAsks(_ transport: Transport)
        async throws
    {
        let file = try TestFile(500)
        let (cloud, token, user) = try await cloudWithFile(transport, file)
        try damage(file, of: user, cloud)
        let nothing = FileProgress(received: 0, isComplete: false)
        #expect(try await cloud.api.put(file.question, token) == nothing)
        #expect(try await file.send(to: cloud.api, token).isComplete)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
    }

    @Test func areFoundWithoutARequestForThem() async throws {
        let file = try TestFile(500)
        let (cloud, token, user) = try await cloudWithFile(.inProcess, file)
        let service = cloud.files()
        #expect(service.examine() == 0)
        try damage(file, of: user, cloud)
        #expect(service.examine() == 1)
        #expect(service.examine() == 1, "as long as no device has sent it")
        #expect(try await cloud.api.missingFiles(after: nil, token).keys == [file.key])
        try await file.send(to: cloud.api, token)
        #expect(service.examine() == 0)
    }

    @Test func areFoundInTheirTurn() async throws {
        let (file, cloud) = (try TestFile(500), try CloudUnderTest(.inProcess))
        let service = cloud.files()
        var (folders, tokens): ([FileFolder], [SessionToken]) = ([], [])
        for name in ["anna", "ben", "carla"] {
            let token = try await premium(cloud, name)
            try await file.send(to: cloud.api, token)
            try await TestFile(600).send(to: cloud.api, token)
            folders.append(service.folder(of: try cloud.user(token)))
            tokens.append(token)
        }
        for folder in folders { try TestKit.damage(folder.path(of: file.hash)) }
        // One file each time.
        let found = (0..<6).map { _ in service.examine(upTo: 1) }
        #expect(found == found.sorted() && found.last == 3 && (0...1).contains(found[0]), "\(found)")
        let more = try TestFile(700)
        try await more.send(to: cloud.api, tokens[0])
        try TestKit.damage(folders[0].path(of: more.hash))
        // The end of the round, and the next one, which reads nothing twice a day.
        _ = service.examine(upTo: 1)
        #expect(service.examine(upTo: 1) == 4)
    }

    /// Its row stays, and the new one takes its place in the quota.
    @Test func areReplacedWhereTheQuotaIsUsedUp() async throws {
        let file = try TestFile(500)
        let (cloud, _, user) = try await cloudWithFile(.inProcess, file)
        let service = cloud.files(FileLimits(accountBytes: 600))
        try damage(file, of: user, cloud)
        #expect(try service.put(file.part(0..<200), of: user).received == 200)
        #expect(try service.put(file.part(200..<500), of: user).isComplete)
    }

    @Test func thatWereSentAgainMeanwhileStay() async throws {
        let file = try TestFile(500)
        let (cloud, _, user) = try await cloudWithFile(.inProcess, file)
        let (service, folder) = (cloud.files(), cloud.files().folder(of: user))
        try damage(file, of: user, cloud)
        // Another request writes to it.
        try service.writes.only(file.hash, of: user) { () throws(CloudError) in
            #expect(try service.file(file.hash, of: user) == nil)
            #expect(folder.contents() == [file.hash])
        }
        #expect(try service.file(file.hash, of: user) == nil)
        #expect(folder.contents() == [] && folder.displaced() == [file.hash])
    }

    @Test func goWithTheDataOfTheirAccount() async throws {
        let file = try TestFile(500)
        let (cloud, token, user) = try await cloudWithFile(.inProcess, file)
        try damage(file, of: user, cloud)
        #expect(try cloud.files().file(file.hash, of: user) == nil)
        #expect(cloud.onDisk(user).count == 1)
        try await cloud.api.deleteData(token)
        #expect(cloud.onDisk(user) == [])
    }

    @Test func areFoundByTheDoctorWhereTheyWerePutAside() async throws {
        let file = try TestFile(500)
        let (cloud, _, user) = try await cloudWithFile(.inProcess, file)
        let path = cloud.files().folder(of: user).path(of: file.hash)
        func faults() throws -> FileService.Faults {
            try FileService.faults(
                besides: cloud.folder + "/cloud.sqlite",
                isInUse: true,
                now: cloud.clock.now
            )
        }
        #expect(try faults() == FileService.Faults(stored: [path]))
        try damage(file, of: user, cloud)
        #expect(try cloud.files().file(file.hash, of: user) == nil)
        #expect(try faults() == FileService.Faults(damaged: [path]), "it is not called missing")
    }

    @Test func aProcessThatDiesBetweenAnAccountAndItsFilesLeavesThemToTheCollection() async throws {
        let file = try TestFile(500)
        let (cloud, _, user) = try await cloudWithFile(.inProcess, file)
        #expect(try cloud.directory.remove(user))
        #expect(cloud.onDisk(user) == [file.hash.description])
        try cloud.files().collect()
        #expect(!FileManager.default.fileExists(atPath: cloud.files().folder(of: user).path))
    }
}
