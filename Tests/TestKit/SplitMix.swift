public import Encoding

/// Seeded randomness: the same seed gives the same numbers on every machine.
public typealias SplitMix = Encoding.SplitMix
