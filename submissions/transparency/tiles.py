"""The tree as tiles of 256 hashes (C2SP `tlog-tiles`): their addresses, and the hash of any complete subtree from them.

Tile (level, index) has the hashes of the subtrees of 256**level leaves from `256 * index` on. Not here: storing them.
"""

import re
from collections.abc import Callable

from submissions.transparency.merkle import Subtree, node_hash

HEIGHT, WIDTH, HASH = 8, 256, 32
MOST_LEVELS = 8
Tiles = Callable[[int, int, int], bytes]
"""(level, index, width) → the tile's hashes one after the other, `32 * width` bytes."""

_ADDRESS = re.compile(r"((?:x\d{3}/)*\d{3})(?:\.p/(\d{1,3}))?")


def tile_address(level: int | str, index: int, width: int = WIDTH) -> str:
    """`tile/0/x001/234`, or `tile/0/x001/234.p/17` for a partial tile; the level of entries is `entries`."""
    digits = f"{index % 1000:03}"
    while index := index // 1000:
        digits = f"x{index % 1000:03}/{digits}"
    return f"tile/{level}/{digits}" + (f".p/{width}" if width < WIDTH else "")


def read_address(text: str) -> tuple[int, int] | None:
    """(index, width) of the part of an address after the level; None if it is none."""
    match = _ADDRESS.fullmatch(text)
    if match is None or len(text) > 40:
        return None
    index = int(match[1].replace("x", "").replace("/", ""))
    width = int(match[2]) if match[2] else WIDTH
    is_written_so = tile_address(0, index, width) == f"tile/0/{text}" and 0 < width <= WIDTH
    return (index, width) if is_written_so else None


def tile_width(level: int, index: int, size: int) -> int:
    """How many hashes of the tile a tree of `size` leaves has: 0 to 256."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - WIDTH * index))


def subtree_reader(tiles: Tiles, size: int) -> Subtree:
    """The subtrees of a tree of `size` leaves, read from its tiles; a tile that is too short raises `ValueError`."""

    def read(level: int, index: int) -> bytes:
        tile_level, height = divmod(level, HEIGHT)
        first = index << height
        tile, place = divmod(first, WIDTH)
        content = tiles(tile_level, tile, tile_width(tile_level, tile, size))
        hashes = [content[HASH * number : HASH * (number + 1)] for number in range(place, place + (1 << height))]
        if any(len(each) != HASH for each in hashes):
            raise ValueError(f"{tile_address(tile_level, tile)} is too short")
        return tree_hash(hashes)

    return read


def tree_hash(hashes: list[bytes]) -> bytes:
    """The root of a complete tree over these hashes, 1, 2, 4 … of them."""
    while len(hashes) > 1:
        hashes = [node_hash(*hashes[place : place + 2]) for place in range(0, len(hashes), 2)]
    return hashes[0]
