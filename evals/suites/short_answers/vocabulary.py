"""The words that templates are filled with."""

NAMES = (
    "Ada", "Ben", "Cara", "David", "Elif", "Finn", "Grace", "Hugo", "Ines", "Jonas", "Kira", "Leo",
    "Mona", "Nils", "Olga", "Paul", "Quinn", "Rosa", "Sami", "Tara", "Uma", "Viktor", "Wanda",
    "Yusuf",
)  # fmt: skip
# One of them, and several.
THINGS = {
    "apple": "apples", "book": "books", "button": "buttons", "candle": "candles", "card": "cards",
    "chair": "chairs", "coin": "coins", "cup": "cups", "egg": "eggs", "flower": "flowers",
    "hat": "hats", "key": "keys", "lamp": "lamps", "lemon": "lemons", "marble": "marbles",
    "pencil": "pencils", "plate": "plates", "ribbon": "ribbons", "shell": "shells",
    "spoon": "spoons", "stamp": "stamps", "ticket": "tickets", "tile": "tiles", "towel": "towels",
}  # fmt: skip
COLOURS = (
    "black", "blue", "brown", "green", "grey", "orange", "pink", "purple", "red", "white", "yellow",
)  # fmt: skip
ANIMALS = (
    "badger", "camel", "cat", "cow", "dog", "donkey", "duck", "fox", "goat", "goose", "hamster",
    "horse", "monkey", "parrot", "pig", "rabbit", "sheep", "turtle",
)  # fmt: skip
CITIES = (
    "Athens", "Berlin", "Cairo", "Dublin", "Geneva", "Helsinki", "Lima", "Lisbon", "London",
    "Madrid", "Nairobi", "Oslo", "Paris", "Prague", "Quito", "Rome", "Tokyo", "Vienna", "Warsaw",
)  # fmt: skip
JOBS = (
    "baker", "carpenter", "dentist", "doctor", "farmer", "gardener", "judge", "lawyer", "nurse",
    "painter", "pilot", "plumber", "singer", "tailor", "teacher", "writer",
)  # fmt: skip
PLACES = (
    "attic", "basket", "bathroom", "box", "cellar", "cupboard", "drawer", "garage", "garden",
    "hall", "kitchen", "office", "shed", "suitcase",
)  # fmt: skip
# Five to eight letters, none of them a name, for what is done to letters.
WORDS = (
    "anchor", "blanket", "bridge", "castle", "copper", "dragon", "engine", "feather", "forest",
    "garlic", "hammer", "harbour", "island", "jacket", "kettle", "ladder", "lantern", "marble",
    "meadow", "needle", "orchard", "pebble", "pepper", "pillow", "planet", "quarry", "rocket",
    "saddle", "shadow", "silver", "tunnel", "valley", "velvet", "walnut", "window", "winter",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
