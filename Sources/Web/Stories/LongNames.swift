// The names of a long-lived book: longer than a line of a phone, and written from right to left.

/// The names of a long-lived book that replace the short names of the ordinary book.
enum LongNames {
    static let all = [
        "Cash": "المحفظة والنقود في البيت",
        "Checking": "Joint checking account of Anastasia-Wilhelmina and Maximilian Featherstonehaugh",
        "Visa card": "כרטיס אשראי משפחתי",
        "Travel wallet": "Travel wallet for the long journey around the whole world",
        "Rainy days": "Savings-for-rainy-days-and-everything-else-that-could-possibly-happen",
        "Groceries": "Groceries, cleaning supplies and everything else from the market",
        "Eating out": "أكل خارج البيت",
        "Coffee": "Kaffeehausbesuche einschließlich Kuchen und Trinkgeld",
        "Home": "Wohnungsinstandhaltungsrücklagenzahlungen",
        "Transport": "תחבורה ציבורית ודלק",
        "Green Market": "Genossenschaftsverbandsmarkt Friedrichshain-Kreuzberg Südost GmbH & Co. KG",
        "Corner Café": "مقهى الزاوية",
        "Online bookshop": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Books",
        "Trattoria Luca": "מסעדת לוקה",
        "Birthday of Anna":
            "The present for the ninetieth birthday of Anna, together with all cousins, who still owe "
            + "their parts: ask them at the party",
        "First Bank":
            "Genossenschaftliche Zentral- und Handelsbank Mecklenburg-Vorpommern eingetragene Genossenschaft",
        "Current account": "Girokonto-mit-Dispositionskredit-und-Unterkonten-der-ganzen-Familie",
        "Card": "כרטיס אשראי בנקאי",
        "Savings": "حساب التوفير طويل الأجل",
        "weekly": "every-week-on-saturday-morning-before-nine",
        "Anna’s phone": "Anastasia-Wilhelmina’s old phone with the broken screen in the kitchen drawer",
        "anna@example.org": "anastasia-wilhelmina.featherstonehaugh-von-und-zu-hohenlohe@post.example.org",
    ]
}
