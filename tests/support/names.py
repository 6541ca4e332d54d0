"""Names of many alphabets: those that a table bears, and those that it refuses."""

TAKEN = (
    *("Ana", "Zoë", "Zoe\u0308", "Ñandú", "Łukasz", "Přemysl", "Gülşen", "Åse", "D'Arcy"),
    *("Maximilian-Otto", "R2-D2", "Anna Lena", "  Bo  Li ", "Hòa", "Đặng Thị", "Nguyễn"),
    *("Ольга", "Сергій", "Їжак", "Милош", "Елена", "Νίκος", "Ελένη", "Γιώργος"),
    *("محمد", "فاطمة", "يوسف", "שרה", "דוד", "מִרְיָם", "राम", "अमित", "सीता", "মিতা"),
    *("ชัย", "นภา", "สมร", "王小明", "李娜", "さくら", "ケンタ", "太郎", "김민준", "이서연"),
    *("ნინო", "გია", "Արամ", "Անի", "🎲", "❤️", "👍🏽", "👩‍🚀", "🇩🇪🇫🇷"),
    *("Тарас", "রিয়া", "সুমন", "กานต์", "ਸਿੰਘ", "ગીતા", "ሰላም", "தமிழ்"),
)  # fmt: skip
LONG = (
    *("Александр", "Анастасия", "Екатерина", "Παναγιώτης", "Κωνσταντίνος", "さくらこさん"),
    *("Đặng Thị Huệ", "नंदिनी", "श्रीनिवास", "ศักดิ์สิทธิ์", "ალექსანდრე", "Հովհաննես"),
    *("Maximiliane-Ottilie", "Anna Katharina Müller", "عبد الرحمن", "אברהם־יצחק"),
    *("👨‍👩‍👧‍👦", "👨‍👩‍👧", "🇩🇪🇫🇷🇮🇹", "W" * 17),
)  # fmt: skip
HIDDEN = (
    *("A\u200bna", "Ana\u200d", "\u202eanA", "A\u2066na", "A\u00adna", "Ana\ufe0f", "\u0301a"),
    *("\u3164", "A\ue000", "A\x00", "A\ud800", "a\u034fb", "\u200e"),
)  # fmt: skip
EMPTY = ("", "  ", "\u00a0\u2003")
ALIKE = (
    *(("Ana", each) for each in ("ANA", "Аnа", "Ana.", "A-n-a", "𝐀na", "Αna", "Ａｎａ", "Anа!")),
    *(("Oma Blitz", each) for each in ("Oma Blıtz", "0ma Blitz", "Оma Blitz", "OmaBlitz")),
    *(("Ben", each) for each in ("ВЕN", "Βen", "ben")), ("Ana", "ᎪꓠᎪ"), ("Hoa", "Hoạ"),
    *(("Ian", "lan"), ("Nils", "N1ls"), ("Bernd", "Bemd"), ("René", "Rene\u0301"), ("❤️", "❤")),
)  # fmt: skip
APART = (
    *(("Lise", "Ilse"), ("Lia", "Ila"), ("Rene", "René"), ("Hoa", "Hòa"), ("Nina", "Нина")),
    *(("Jan", "Jana"), ("Kim", "김"), ("👍🏽", "👍🏿"), ("!", "?"), ("Ivan", "Иван"), ("นำ", "นา")),
)  # fmt: skip
