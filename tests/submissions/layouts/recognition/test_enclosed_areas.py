"""Areas of a picture: circles and boxes, also where they touch or hold letters; nothing that is open."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from submissions.layouts.recognition.ink import Frame, enclosed_areas, ink_strength

NEAR = 8  # pixels


def areas(image: Image.Image) -> list[Frame]:
    return enclosed_areas(ink_strength(image))


def sheet() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (1600, 900), "#0b4d36")
    return image, ImageDraw.Draw(image)


def matches(frame: Frame, box: tuple[int, int, int, int]) -> bool:
    return all(abs(side - expected) < NEAR for side, expected in zip(frame, box, strict=True))


def test_circles_and_boxes_that_touch_are_areas_of_their_own() -> None:
    image, draw = sheet()
    boxes = [(200, 300, 360, 460), (360, 300, 520, 460), (700, 300, 900, 380), (900, 300, 1100, 380)]
    for box in boxes[:2]:
        draw.ellipse(box, outline="white", width=3)
    for box in boxes[2:]:
        draw.rectangle(box, outline="white", width=3)
    draw.text((235, 360), "Ante", fill="white", font=ImageFont.load_default(30))
    frames = areas(image)
    assert all(any(matches(frame, box) for frame in frames) for box in boxes)
    assert len(frames) == len(boxes)


def test_open_arc_and_letters_are_no_areas() -> None:
    image, draw = sheet()
    draw.arc((200, 300, 360, 460), 20, 340, fill="white", width=3)
    draw.text((700, 300), "BLACKJACK pays 3 to 2", fill="white", font=ImageFont.load_default(60))
    assert areas(image) == []


def test_filled_area_without_outline_is_an_area() -> None:
    image, draw = sheet()
    draw.rectangle((300, 300, 500, 420), fill="#f4f0e0")
    assert any(matches(frame, (300, 300, 500, 420)) for frame in areas(image))
