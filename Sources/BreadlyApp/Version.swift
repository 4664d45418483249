/// The version of this build.
public let breadlyVersion = "0.1.0"
