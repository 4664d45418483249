import Book
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import SyncEngine
import Texts

/// `GET /sign-out`: the data that a sign-out would delete, and its confirmation.
enum SignOutShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        switch device.state {
        case .signingOut:
            return context.page(WaitingPage(chrome: context.chrome(isBare: true), work: .signingOut))
        default: break
        }
        guard device.session != nil else { return context.redirect(to: .settings) }
        guard let stake = try SignOutStake.of(device, context) else {
            let text = Text("user-account.sign-out-later")
            device.show(Device.Toast(key: "sign-out-later", text: text))
            return context.redirect(to: .settings)
        }
        return context.page(try page(context, device, stake))
    }

    static func page(
        _ context: RequestContext,
        _ device: Device,
        _ stake: SignOutPage.Stake,
        isRefused: Bool = false
    )
        throws
        -> SignOutPage
    {
        var unsent: [Text] = []
        switch stake {
        case .uploading, .stuck, .copyStays, .copyUnknown:
            let words = try ChangeWords(context)
            unsent = try context.book().pendingChanges(limit: 50).map { words.line($0).line }
        case .everything, .nothing, .nothingHere: break
        }
        return SignOutPage(
            chrome: context.chrome(isBare: true),
            stake: stake,
            obstacle: try context.obstacle(stake, device),
            unsent: unsent,
            files: try context.filesOnlyHere(stake),
            waitingFiles: try context.waitingFiles(stake),
            damagedFiles: stake == .nothingHere ? 0 : try context.book().unsentReceiptFiles().damaged,
            absentFiles: stake == .nothingHere ? AbsentFiles() : context.sync?.absentFiles ?? AbsentFiles(),
            hasOnlyTransactions: try context.hasOnlyTransactions(stake, device),
            isCloudAway: context.receiptCloud == .away,
            isSilent: context.sync?.isSilent == true,
            isWaiting: device.leavingTotal != nil,
            asksNow: context.request.query.first("now") != nil,
            unsaved: stake == .nothingHere ? [] : try context.unsavedEntries(),
            isRefused: isRefused
        )
    }
}

/// `POST /sign-out/wait`: signs out as soon as all changes are uploaded. `POST /sign-out/stay` cancels that.
enum SignOutWait {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        // Files that the cloud does not accept, and the files of unsaved entries, would be deleted without a
        // message as soon as the others are uploaded.
        let book = try context.book()
        let staysHere = try book.unsentReceiptFiles().refused > 0 || !book.unsavedReceipts().isEmpty
        if let status = context.sync, !staysHere, status.failed == 0, !device.isUploadOver(status) {
            let isOfTransactions = try book.unsentTransactionChanges() == status.unsent
            device.signOutOnceSent(status, isOfTransactions: isOfTransactions)
        }
        return context.redirect(to: .signOut)
    }

    static func stay(_ context: RequestContext) throws -> Response {
        try context.knownDevice().stay()
        return context.redirect(to: .settings)
    }
}

/// `POST /sign-out`: ends the session and clears the book, after the confirmations that are required.
enum SignOutAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        if let refusal = try refusal(context, device) { return refusal }
        switch try SignOutStake.of(device, context) {
        case .copyStays:
            // The report about the data in the cloud is some seconds old, and another device may have deleted the
            // data since.
            return context.later {
                await device.verify(withinMilliseconds: 5_000)
            } then: { context, hasAnswer in
                try refusal(context, device, isCopyKnown: hasAnswer) ?? leaving(context, device)
            }
        case .nothing:
            // The cloud may have lost files since they were sent.
            return context.later {
                await device.checkFilesBeforeLeaving()
            } then: { context, _ in
                try refusal(context, device) ?? leaving(context, device)
            }
        default: return leaving(context, device)
        }
    }

    /// The page that asks for a missing confirmation; nil if none is missing.
    /// - Parameter isCopyKnown: whether the cloud has just said that it has the copy that stays there.
    private static func refusal(_ context: RequestContext, _ device: Device, isCopyKnown: Bool = true) throws
        -> Response?
    {
        guard device.session != nil, var stake = try SignOutStake.of(device, context) else {
            return context.redirect(to: .settings)
        }
        if case .copyStays(let copy, _) = stake, !isCopyKnown { stake = .copyUnknown(copy) }
        let files = try context.filesOnlyHere(stake)
        let given = context.request.form.first("confirm")
        guard let asked = SignOutPage.confirmation(for: stake, files: files),
            !asked.isGiven(given, in: context.site.pages.texts),
            // Nothing more can be lost than everything.
            !Confirmation.allIsLost.isGiven(given, in: context.site.pages.texts)
        else { return nil }
        // The page from which this comes may not have asked: its files were thought to be in the cloud.
        let page = try SignOutShow.page(context, device, stake, isRefused: given != nil && isCopyKnown)
        return context.page(page, .unprocessable)
    }

    private static func leaving(_ context: RequestContext, _ device: Device) -> Response {
        let (devices, submission) = (context.site.devices, context.submission)
        return context.ask { () async throws(DevicesError) in
            // If two tabs sign out at once, only one of them does.
            guard try await device.handle(.userSignedOut) else { return nil }
            return try devices.replaceCookie(submission, of: device)
        } then: { (context, newCookie: Result<DeviceToken?, DevicesError>) in
            context.keep(try newCookie.get())
            context.clearsBrowser = true
            return context.redirect(to: .overview)
        }
    }
}

extension Book {
    /// The number of sound files that the cloud does not have, with the files of unsaved transactions.
    func filesOnlyHere() throws(BookError) -> Int {
        try unsentReceiptFiles().sound + unsavedReceipts().reduce(0) { $0 + $1.receipts.count }
    }
}

extension RequestContext {
    /// The number of files of receipts that a sign-out would delete beside the data that its page is about.
    fileprivate func filesOnlyHere(_ stake: SignOutPage.Stake) throws -> Int {
        switch stake {
        // There is no book.
        case .nothingHere: 0
        case .everything, .nothing, .copyStays, .copyUnknown, .uploading, .stuck:
            try book().filesOnlyHere()
        }
    }
}

extension RequestContext {
    /// Whether each change that the cloud does not have is one of a transaction, so that it is called one.
    fileprivate func hasOnlyTransactions(_ stake: SignOutPage.Stake, _ device: Device) throws -> Bool {
        switch stake {
        case .uploading, .stuck:
            // The changes that were sent since the user began to wait are counted in words as well.
            try device.leavingIsOfTransactions ?? (book().unsentTransactionChanges() == sync?.unsent)
        case .everything, .nothing, .nothingHere, .copyStays, .copyUnknown: true
        }
    }

    /// The reason why the changes are not uploaded; nil if they are, or if the cloud cannot be reached.
    fileprivate func obstacle(_ stake: SignOutPage.Stake, _ device: Device) throws -> SignOutPage.Obstacle? {
        guard case .stuck = stake, let status = sync else { return nil }
        if device.isUploadOver(status), let text = try UploadDeadline.text(self) {
            return SignOutPage.Obstacle(text: text, passes: false)
        }
        if status.failed > 0 {
            let words: [String: Text.Argument] = ["count": .count(status.failed)]
            return SignOutPage.Obstacle(text: Text("chrome.changes-were-refused", words), passes: false)
        }
        guard case .failed(let trouble) = status.phase else { return nil }
        return SignOutPage.Obstacle(text: trouble.text, passes: trouble.passes)
    }

    /// The number of files that are on their way to the cloud.
    fileprivate func waitingFiles(_ stake: SignOutPage.Stake) throws -> Int {
        switch stake {
        case .nothing, .uploading, .stuck: try sync == nil ? 0 : book().unsentReceiptFiles().waiting
        case .everything, .nothingHere, .copyStays, .copyUnknown: 0
        }
    }
}

/// The data that a sign-out deletes, in each state.
enum SignOutStake {
    /// - Returns: nil for states without a sign-out.
    static func of(_ device: Device, _ context: RequestContext) throws -> SignOutPage.Stake? {
        switch device.state {
        case .localOnly where device.hasUnknownServerData, .synced where device.hasUnknownServerData,
            .draining where device.hasUnknownServerData:
            return .everything
        case .localOnly: return try local(device, context)
        // The book was cleared already and is empty.
        case .blocked: return .nothingHere
        case .synced, .draining: return synced(device, context.sync)
        default: return nil
        }
    }

    /// A book without sync: the cloud may still have a copy, from earlier or from another device.
    private static func local(_ device: Device, _ context: RequestContext) throws -> SignOutPage.Stake {
        guard let copy = try context.site.retainedCopy(of: device, in: context.book()) else {
            return .everything
        }
        let isPremium = device.session?.entitlement?.entitlement.isPremium == true
        return .copyStays(copy, needsSubscription: !isPremium)
    }

    private static func synced(_ device: Device, _ status: SyncStatus?) -> SignOutPage.Stake {
        // Data that was deleted on the cloud is on this device only.
        if case .failed(.dataDeleted) = status?.phase { return .everything }
        guard let status, status.unsent > 0 else { return .nothing }
        guard !isStuck(device, status) else { return .stuck(pending: status.unsent) }
        let total = max(device.leavingTotal ?? status.pending, status.pending)
        return .uploading(done: max(0, total - status.pending), total: total)
    }

    /// Whether changes that wait are not on their way.
    static func isStuck(_ device: Device, _ status: SyncStatus) -> Bool {
        switch status.phase {
        case .offline, .failed: true
        // Changes that were refused, or are too late, are not uploaded as they are.
        case .connecting, .downloading, .uploading, .idle: status.failed > 0 || device.isUploadOver(status)
        }
    }
}
