r"""Plain text of a BibTeX value: accents, letters and commands of LaTeX; braces are dropped."""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł",
    "L": "Ł", "i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "textendash": "–", "textemdash": "—",
    "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”", "dots": "…",
    "ldots": "…", "textregistered": "®", "texttrademark": "™", "copyright": "©", "pm": "±", "times": "×",
    "textpm": "±", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "textgreater": ">", "textless": "<",
    "textasciitilde": "~", "textbackslash": "\\", "degree": "°", "textdegree": "°", "mu": "μ",
}  # fmt: skip
_ACCENT = re.compile(r"""\\(?:([`'^~"=.])|([uvHckrdb])(?![A-Za-z]))\s*\{?\s*\\?([A-Za-z])(?![A-Za-z]*\{)\s*\}?""")
_HIDDEN = str.maketrans("{}$", "\x01\x02\x03")  # escaped, so that they are kept
_KEPT = str.maketrans("\x01\x02\x03", "{}$")
_MARK = re.compile(r"[\\{}$]")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_SIGN = re.compile(r"\\([&%$#_{}\s,;:!/-])")


def plain_latex(value: str) -> str:
    r"""Return the value without LaTeX's markup.

    >>> plain_latex(r'{HIV} in M{\"u}nchen \& Malm\"{o}: the \emph{$\beta$-blocker}')
    'HIV in München & Malmö: the β-blocker'
    """
    if _MARK.search(value) is None:
        return value
    if "\\" in value:
        value = _ACCENT.sub(_accented, value)
        value = _SIGN.sub(lambda found: found[1].translate(_HIDDEN), value)
        value = _COMMAND.sub(_letter, value)
    if "{" in value or "}" in value:
        value = value.replace("{", "").replace("}", "")
    if "$" in value:
        value = re.sub(r"\$([^$]{0,200})\$", r"\1", value)
    return value.translate(_KEPT)


def _accented(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", found[3] + _ACCENTS[found[1] or found[2]])


def _letter(found: re.Match[str]) -> str:
    """Return the letter that a command stands for; nothing for other commands, whose argument remains."""
    name = found[1]
    if name in _LETTERS:
        return _LETTERS[name]
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {name.upper()}")
    except KeyError:
        return ""
