// All guided journeys, in the order of the list.

enum Journeys {
    static let all: [Journey] = product + signingOut + safety + scenarios
}
