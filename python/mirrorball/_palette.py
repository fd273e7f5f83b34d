"""The colours of the report and the explorer, light and dark; web/src/shared/theme.css has them too, and a test compares."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours by what they are for."""

    card: str
    line: str
    strong_line: str
    ink: str
    soft: str
    accent: str
    other: str
    good: str
    bad: str
    warn: str

    @property
    def cycle(self) -> tuple[str, ...]:
        """Of several models, in this order."""
        return (self.accent, self.other, self.good, self.warn, self.soft)

    def mixed(self, colour: str, strength: float) -> str:
        """A colour on the ground of the drawing: opaque, so that bands do not add up."""
        from matplotlib.colors import to_hex, to_rgb

        (red, green, blue), ground = to_rgb(colour), to_rgb(self.card)
        rest = 1 - strength
        mix = (strength * red + rest * ground[0], strength * green + rest * ground[1], strength * blue + rest * ground[2])
        return to_hex(mix)


LIGHT = Palette(
    card="#ffffff",
    line="#dfe3ea",
    strong_line="#8a93a3",
    ink="#171a20",
    soft="#565f6e",
    accent="#0b62c4",
    other="#b14a00",
    good="#0f7b3f",
    bad="#b3261e",
    warn="#8a5a00",
)
DARK = Palette(
    card="#171b22",
    line="#2b323d",
    strong_line="#6b7585",
    ink="#eceff4",
    soft="#a3adbc",
    accent="#6db3ff",
    other="#ffa04d",
    good="#5fd38d",
    bad="#ff9a90",
    warn="#ffcf70",
)
