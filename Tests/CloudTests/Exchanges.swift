// Messages between a device and a cloud of the first version, recorded on the wire. Never changed: devices and clouds of
// that version speak so for as long as they run.

/// A request and its answer, as they were on the wire.
struct Exchange: Sendable {
    let request: String
    var body = ""
    let status: Int
    let answer: String
}

extension Exchange {
    // swift-format-ignore
    static let ofVersionOne: [Exchange] = [
        Exchange(request: "POST /cloud/v1/sign-in", body: #"{"account":{"email":"test|anna||","password":""},"deviceName":"Phone","guest":"0000000000000g000000000001"}"#, status: 200, answer: #"{"entitlement":{"status":"none","willRenew":false},"isExistingAccount":false,"token":"5a73ae37bcb45f41b65098aa8ff398b3de69c5c8800bfbeb703151cd6eb2c58b","user":{"createdAt":1795262400,"hasPassword":false,"id":"01m7yzmhg0fg0jj5dkcx3emmq2"}}"#),
        Exchange(request: "GET /cloud/v1/account", status: 200, answer: #"{"accounts":0,"categories":0,"entitlement":{"status":"active","willRenew":false},"limits":{"bytes":1073741824,"fields":100,"replicas":100,"rowBytes":262144,"rows":1000000},"transactions":0,"usage":{"bytes":0,"replicas":0,"rows":0},"user":{"createdAt":1795262400,"hasPassword":false,"id":"01m7yzmhg0fg0jj5dkcx3emmq2"}}"#),
        Exchange(request: "GET /cloud/v1/signal?wait=0", status: 200, answer: #"{"epoch":1,"head":0}"#),
        Exchange(request: "POST /cloud/v1/push", body: #"{"device":"0000000000000r000000000001","epoch":1,"schema":1,"seen":0,"ops":[{"n":1,"opId":"00000000000000000000000000000001","tx":1,"type":"create","kind":"account","id":"0000000000000r00000000000b","fields":{"name":"Café","opening":-5,"future":{"x":[1.5]}}},{"n":2,"opId":"00000000000000000000000000000002","tx":2,"type":"patch","kind":"account","id":"0000000000000r00000000000b","fields":{"opening":7},"base":{"opening":1}},{"n":3,"opId":"00000000000000000000000000000003","tx":3,"type":"patch","kind":"account","id":"0000000000000r00000000000c","fields":{"name":"?"}}]}"#, status: 200, answer: #"{"epoch":1,"head":3,"lastN":3,"results":[{"n":1,"seq":1,"status":"applied"},{"n":2,"seq":2,"status":"applied"},{"n":3,"seq":3,"status":"rejected","code":"unknown_row"}]}"#),
        Exchange(request: "POST /cloud/v1/push", body: #"{"device":"0000000000000r000000000002","epoch":1,"schema":1,"seen":0,"ops":[{"n":1,"opId":"00000000000000000000000000000004","tx":1,"type":"patch","kind":"account","id":"0000000000000r00000000000b","fields":{"opening":9,"name":"Bar"},"base":{"opening":1,"name":1}},{"n":2,"opId":"00000000000000000000000000000005","tx":2,"type":"delete","kind":"account","id":"0000000000000r00000000000d","base":{"*":0}}]}"#, status: 200, answer: #"{"epoch":1,"head":6,"lastN":2,"results":[{"n":1,"seq":4,"status":"applied","conflict":"01m7yzmhg0w2s1yt5cg2akzr09"},{"n":2,"seq":6,"status":"applied"}]}"#),
        Exchange(request: "GET /cloud/v1/changes?device=0000000000000r000000000001&epoch=1&cursor=0&limit=100&lastN=3&seen=2", status: 200, answer: #"{"epoch":1,"head":6,"cursor":6,"hasMore":false,"remaining":0,"lastN":3,"changes":[{"seq":4,"kind":"account","id":"0000000000000r00000000000b","fields":{"future":{"x":[1.5]},"name":"Bar","opening":9},"versions":{"*":1,"name":4,"opening":4},"writers":{"at":1795262400,"last":"Phone","creator":"Phone"}},{"seq":5,"kind":"conflict","id":"01m7yzmhg0w2s1yt5cg2akzr09","fields":{"at":1795262400,"entity":"0000000000000r00000000000b","field":"opening","held":0,"kept":"9","keptBy":"0000000000000r000000000002","keptName":"Phone","kind":"account","lost":"7","lostBy":"0000000000000r000000000001","lostName":"Phone"},"versions":{"*":5},"writers":{"at":1795262400,"last":""}},{"seq":6,"kind":"account","id":"0000000000000r00000000000d","deleted":true,"fields":{},"versions":{"*":6},"writers":{"at":1795262400,"last":"Phone"}}]}"#),
        Exchange(request: "GET /cloud/v1/changes?device=0000000000000r000000000003&epoch=1&snapshot=&limit=1&lastN=0&seen=0", status: 200, answer: #"{"epoch":1,"head":6,"cursor":6,"next":"account/0000000000000r00000000000b","hasMore":true,"remaining":1,"lastN":0,"changes":[{"seq":4,"kind":"account","id":"0000000000000r00000000000b","fields":{"future":{"x":[1.5]},"name":"Bar","opening":9},"versions":{"*":1,"name":4,"opening":4}}]}"#),
        Exchange(request: "POST /cloud/v1/push", body: #"{"device":"0000000000000r000000000001","epoch":1,"schema":1,"ops":[{"n":9,"opId":"00000000000000000000000000000009","tx":1,"type":"delete","kind":"account","id":"0000000000000r00000000000b"}]}"#, status: 409, answer: #"{"code":"op_gap","expected":4}"#),
        Exchange(request: "POST /cloud/v1/push", body: #"{"device":"0000000000000r000000000001","epoch":1,"schema":1,"ops":[{"n":3,"opId":"000000000000000000000000000000ff","tx":1,"type":"delete","kind":"account","id":"0000000000000r00000000000b"}]}"#, status: 409, answer: #"{"code":"op_reused"}"#),
        Exchange(request: "POST /cloud/v1/push", body: #"{"device":"0000000000000r000000000001","epoch":8,"schema":1,"ops":[]}"#, status: 409, answer: #"{"code":"epoch_changed","epoch":1}"#),
        Exchange(request: "GET /cloud/v1/changes?device=0000000000000r000000000001&epoch=1&cursor=900&limit=100&lastN=3&seen=0", status: 410, answer: #"{"code":"cursor_ahead"}"#),
        Exchange(request: "POST /cloud/v1/push", body: #"{"device":"x"}"#, status: 400, answer: #"{"code":"malformed"}"#),
        Exchange(request: "POST /cloud/v1/detach", body: #"{"device":"0000000000000r000000000001","lastN":3}"#, status: 204, answer: #""#),
        Exchange(request: "GET /cloud/v1/devices", status: 200, answer: #"{"devices":[{"id":"01m7yzmhg0qhcgq81cq48ds4p8","isThisDevice":true,"name":"Phone","seenAt":1795262400,"signedInAt":1795262400}]}"#),
        Exchange(request: "POST /cloud/v1/sign-out", status: 204, answer: #""#),
        Exchange(request: "GET /cloud/v1/account", status: 401, answer: #"{"code":"token_revoked"}"#),
    ]
}
