// All guided journeys, in the order of the list.

enum Journeys {
    static let all: [Journey] = product + banks + signingOut + safety + scenarios
}
