// Faults that are put in on purpose: a simulation that does not catch them proves nothing.

/// A named fault.
enum Bug: String, CaseIterable {
    /// An operation leaves the outbox although its result was lost.
    case dropsAnAcknowledgement
    /// The cursor moves on although the rows were not applied.
    case appliesTheCursorAlone
    /// A change of a deleted row brings it back.
    case resurrectsOnPatch
    /// Two operations change places before they are sent.
    case reordersTwoOperations
    /// Rows that arrive replace fields whose own change is still on its way.
    case skipsTheOverlay
    /// The cloud applies an operation again that it has had.
    case forgetsResults
    /// A patch carries the whole row.
    case patchesTheWholeRow
    /// Overwritten values are not recorded.
    case losesConflicts
    /// A copy of a book continues under the id of the original.
    case ignoresReusedNumbers
    /// A device continues with data that was deleted elsewhere.
    case ignoresTheEpoch
    /// Deletions are collected before all replicas have seen them.
    case collectsTooEarly
    /// A form that was opened earlier writes all that it had shown.
    case writesTheWholeForm
    /// A change from a form that was opened earlier pretends to have seen what came since.
    case takesTheBookForTheForm
    /// A change is made without going into the outbox.
    case missesACapture
    /// An answer holds rows of another account.
    case mixesAccounts
    /// A restored cloud continues as if no changes had been lost.
    case forgetsThatItWasRestored
    /// Deleted rows are not deleted again on a cloud that has lost the deletions.
    case leavesDeletionsLost
    /// The replica is detached before all operations are sent.
    case detachesTooEarly
    /// A receipt is recorded before its file has its name.
    case placesFilesAfterTheirRows
    /// The beginning of a file passes for the file.
    case takesACutFileForWhole
    /// A collection removes a file to which a live receipt refers.
    case collectsFilesOfLiveReceipts
    /// A device sends a file without looking whether it is damaged.
    case sendsDamagedFiles
    /// A file that was sent once passes for stored for ever.
    case believesUploadsForEver
    /// A file whose row has arrived passes for one that the cloud has.
    case takesRowsForFiles
}
