"""The dealer's side: chip tray, drop box and tip box at opposite ends, devices on the table and next to it."""

from collections.abc import Sequence

from games.rules.words import AREAS
from submissions.layouts.reference_drawing import areas, shapes
from submissions.layouts.reference_drawing.table_shape import RAIL, Oval, Table
from submissions.layouts.required_elements import RequiredElement

TRAY = 600
SLOT = (148, 70)  # of a device, with the space around it
OUTSIDE = 96  # height of the boxes at the dealer's side
_FIXED = ("rack", "shoe", "shuffler", "shuffling", "card_reader")
_LEFT = ("rack", "card_reader", "rake_area", "shaker", "dice", "deck_area")  # the dealer's right, as players see it


def is_own(element: RequiredElement) -> bool:
    """Whether the element is on the dealer's side, not in the middle of the table."""
    if element.kind in AREAS:
        return any(part in element.key for part in ("shaker", "rake", "deck_area"))
    return element.kind == "device" or element.key in ("drop_box", "tip_box", "jackpot_box")


def draw_dealer_side(elements: Sequence[RequiredElement], table: Table) -> list[str]:
    top = RAIL if isinstance(table, Oval) else 0
    boxes = [element for element in elements if element.kind == "box"]
    devices = [element for element in elements if element.kind != "box"]
    beside = [
        device for device in devices if device.kind not in AREAS and not any(part in device.key for part in _FIXED)
    ]
    on_table = [device for device in devices if device not in beside]
    in_tray = [device for device in on_table if device.key.endswith("_in_inventory")]
    left = [device for device in on_table if device not in in_tray and _goes_left(device)]
    right = [device for device in on_table if device not in in_tray and device not in left]
    left.sort(key=lambda device: "rack" not in device.key)  # the rack and its mark next to the tray
    while len(right) > len(left) + 2:  # about as many on either side
        left.append(right.pop())
    dealer = shapes.label("Dealer", (0, -OUTSIDE / 2 - 6), (140, 40), fill=shapes.INK, largest=24)
    slots = _slots(left, -1, top) + _slots(right, 1, top)
    return [_tray(in_tray, top), dealer, *_boxes(boxes, table), *slots, *_beside(beside)]


def _goes_left(element: RequiredElement) -> bool:
    return any(part in element.key for part in _LEFT) and not element.key.endswith("_elsewhere")


def _tray(inside: Sequence[RequiredElement], top: float) -> str:
    """The table inventory container, with its tubes."""
    edge = shapes.box(-TRAY / 2, top + 14, TRAY, 116, line=shapes.LIGHT, fill=shapes.PALE)
    paths = [] if inside else [f"M{x} {top + 46:g}V{top + 122:g}" for x in range(-260, 261, 40)]
    tubes = [shapes.outline(path, line=shapes.LIGHT, thick=1) for path in paths]
    named = shapes.text(0, top + 36, 17, "Table inventory container")
    plates = [shapes.group([areas.plate(device, wide=300, high=56).svg], device, at=(0, top + 86)) for device in inside]
    return "".join([edge, *tubes, named, *plates])


def _boxes(boxes: Sequence[RequiredElement], table: Table) -> list[str]:
    """The drop box at the dealer's right, the tip box at the left, other locked boxes next to the drop box."""
    parts, ends = [], {-1: 0, 1: 0}
    half = (table.wide - (table.high if isinstance(table, Oval) else 0)) / 2
    for box in boxes:
        side = 1 if box.key == "tip_box" else -1
        parts.append(_outside(box, side * (half - 75 - 150 * ends[side]), shapes.RAIL))
        ends[side] += 1
    return parts


def _outside(element: RequiredElement, x: float, fill: str) -> str:
    """A plate at the dealer's side of the table's edge."""
    plate = areas.plate(element, wide=138, high=OUTSIDE - 20, fill=fill)
    return shapes.group([plate.svg], element, at=(x, -OUTSIDE / 2 - 4))


def _slots(devices: Sequence[RequiredElement], side: int, top: float) -> list[str]:
    """Next to the tray, from it outwards: plates in two rows, a circle in both."""
    parts, column, row = [], 0, 0
    for device in sorted(devices, key=_is_circle):
        whole = _is_circle(device)
        column, row = (column + 1, 0) if whole and row else (column, row)
        x = side * (TRAY / 2 + 14 + SLOT[0] * (column + 0.5))
        y = top + 12 + SLOT[1] * (1 if whole else row + 0.5)
        fill = "none" if device.kind in AREAS else shapes.PALE
        area = areas.chips(device, 132) if whole else areas.plate(device, fill=fill, wide=138, high=62)
        parts.append(shapes.group([area.svg], device, at=(x, y)))
        column, row = (column + 1, 0) if whole or row else (column, 1)
    return parts


def _is_circle(element: RequiredElement) -> bool:
    """The place for a shaker is round."""
    return element.kind == "area" and "shaker" in element.key


def _beside(devices: Sequence[RequiredElement]) -> list[str]:
    """Devices at the table but not on it, to either side of the dealer."""
    parts = []
    for place, device in enumerate(devices):
        x = 90 + SLOT[0] * (place // 2 + 0.5)
        parts.append(_outside(device, -x if place % 2 else x, shapes.GRAY))
    return parts
