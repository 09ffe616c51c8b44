"""The words and marks that instructions are drawn from.

No two pools get in each other's way: no keyword is forbidden, no phrase that must be written holds
a comma, a forbidden word or a keyword that is to be counted.
"""

KEYWORDS = (
    "morning", "window", "simple", "together", "weather", "patience", "corner", "measure",
    "pocket", "quiet", "promise", "ladder", "mirror", "candle", "ribbon", "market", "pencil",
    "shadow", "ticket", "basket",
)  # fmt: skip
FORBIDDEN = (
    "very", "really", "just", "because", "important", "great", "always", "perfect", "also",
    "many", "good", "nice",
)  # fmt: skip
LETTERS = ("b", "f", "g", "p", "v", "w", "y")  # each 1 to 2.5 in 100 letters of English
OPENINGS = (
    "Here is my answer:",
    "Let me begin with this:",
    "To whom it may concern:",
    "A few words first:",
    "Picture this:",
    "What follows is a draft:",
)
ENDINGS = (
    "That is all for now.",
    "Thank you for reading.",
    "Let me know what you think.",
    "And that is the whole story.",
    "Have a pleasant day.",
    "More will follow soon.",
)
LABELS = (
    ("Mood: cheerful", "Mood: calm", "Mood: serious"),
    ("Reader: child", "Reader: adult", "Reader: expert"),
    ("Style: plain", "Style: playful", "Style: formal"),
    ("Pace: slow", "Pace: steady", "Pace: brisk"),
)
POSTSCRIPT_MARKS = ("P.S.", "PS:")
PARAGRAPH_MARKS = ("***", "---", "###", "~~~")
SECTION_MARKS = ("Part", "Section", "Chapter", "Step")
JSON_KEYS = ("heading", "text", "audience", "tone", "details", "language", "author", "purpose")
