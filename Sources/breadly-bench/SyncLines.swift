// The lines of the figures of sync, with their targets.

extension Bench {
    static func show(_ sync: SyncFigures) {
        add("one write to the disk", micro(sync.fsync), "", nil)
        add(
            "a change is in the other device's book",
            tenths(sync.visible, "ms"),
            "< 150 ms",
            sync.visible < 150
        )
        add("a change of thousands of rows at once is there", tenths(sync.manyVisible, "ms"), "", nil)
        let delay = sync.pageWhileMany - sync.pageBefore
        add(
            "the slowest list of the other device meanwhile, and before",
            "\(tenths(sync.pageWhileMany, "ms")), \(tenths(sync.pageBefore, "ms"))",
            "≤ 50 ms more",
            delay <= 50
        )
        add(
            "100,000 transactions are attached and uploaded",
            tenths(sync.upload, "s"),
            "< 12 s",
            sync.upload < 12
        )
        add(
            "the slowest list of transactions meanwhile",
            tenths(sync.pageMeanwhile, "ms"),
            "< 50 ms",
            sync.pageMeanwhile < 50
        )
        add("the same on a new device, downloaded", tenths(sync.download, "s"), "< 15 s", sync.download < 15)
        add("the first of them are there", tenths(sync.firstRows, "ms"), "< 300 ms", sync.firstRows < 300)
        add("memory grows meanwhile by", tenths(sync.grown, "MB"), "< 20 MB", sync.grown < 20)
        add(
            "operations a second that the cloud takes, 100 at a time",
            "\(Int(sync.operations))",
            "≥ 20,000",
            sync.operations >= 20_000
        )
        add("pushes a second of one operation", "\(Int(sync.pushes))", "≥ 1,000", sync.pushes >= 1_000)
        add(
            "bytes of an operation on the wire, 500 at a time",
            "\(Int(sync.wireBytes))",
            "< 100",
            sync.wireBytes < 100
        )
        add("one of a thousand that wait for news", tenths(sync.waiting, "KB"), "< 30 KB", sync.waiting < 30)
        add(
            "one push in a cloud of ten accounts, and of ten thousand",
            "\(micro(sync.withFew)), \(micro(sync.withMany))",
            "the same",
            sync.withMany < sync.withFew * 1.3
        )
    }
}
