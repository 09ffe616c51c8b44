r"""Characters that cannot be seen, made visible: a name must not look like another one.

Unicode's controls can turn text around (U+202E) or hide in it (U+200B); they are shown by number.
Source: Boucher and Anderson, "Trojan Source", arXiv:2111.00169.

Example: "int8\u200b" reads "int8⟨U+200B⟩".
"""

import re

# C0 and C1 controls other than tab and line ends; soft hyphen; marks, joiners and controls of
# direction; invisible operators; byte order mark; tags.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Show by number every character that has no look of its own."""
    return UNSEEN.sub(lambda found: f"⟨U+{ord(found.group()):04X}⟩", text)
