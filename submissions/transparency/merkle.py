"""The Merkle tree of RFC 6962, section 2.1: roots, inclusion proofs, consistency proofs, and their verification.

Hashes are 32 bytes. A tree is read through a function that gives the hash of a complete subtree. Not here: what the
leaves are (`entries`), where the hashes are stored (`tiles`).
"""

import hashlib
from collections.abc import Callable, Sequence

Subtree = Callable[[int, int], bytes]
"""(level, index) → the hash of the leaves from `index * 2**level` to `(index + 1) * 2**level`, exclusive."""


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root_hash(size: int, read: Subtree) -> bytes:
    """The root of the first `size` leaves."""
    return _range_hash(0, size, read) if size else hashlib.sha256(b"").digest()


def inclusion_proof(index: int, size: int, read: Subtree) -> list[bytes]:
    """PATH(m, D[n]) of RFC 6962, 2.1.1: that the leaf at `index` (from 0) is in the tree of `size` leaves."""
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size} leaves")
    return _path(index, 0, size, read)


def consistency_proof(old: int, new: int, read: Subtree) -> list[bytes]:
    """PROOF(m, D[n]) of RFC 6962, 2.1.2: that the tree of `new` leaves begins with that of `old` leaves."""
    if not 0 < old <= new:
        raise ValueError(f"a tree of {new} leaves is compared with one of {old}")
    return _subproof(old, 0, new, read, whole=True)


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows the leaf's hash at `index` of the tree with this root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, current = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            current = node_hash(sibling, current)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            current = node_hash(current, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and current == root


def is_consistent(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the new tree begins with the old one (RFC 9162, 2.1.4.2)."""
    if not 0 < old <= new:
        return False
    if old == new:
        return not proof and old_root == new_root
    hashes = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old_hash = new_hash = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old_hash, new_hash = node_hash(sibling, old_hash), node_hash(sibling, new_hash)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new_hash = node_hash(new_hash, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and (old_hash, new_hash) == (old_root, new_root)


def _range_hash(start: int, end: int, read: Subtree) -> bytes:
    """The hash of the leaves from `start` to `end`, exclusive, as the recursion meets them: `start` is aligned."""
    size = end - start
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return read(level, start >> level)
    middle = start + _split(size)
    return node_hash(_range_hash(start, middle, read), _range_hash(middle, end, read))


def _path(index: int, start: int, end: int, read: Subtree) -> list[bytes]:
    if end - start == 1:
        return []
    middle = start + _split(end - start)
    if index < middle:
        return [*_path(index, start, middle, read), _range_hash(middle, end, read)]
    return [*_path(index, middle, end, read), _range_hash(start, middle, read)]


def _subproof(old: int, start: int, end: int, read: Subtree, *, whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962; `old` counts from the first leaf of the tree."""
    if old == end:
        return [] if whole else [_range_hash(start, end, read)]
    middle = start + _split(end - start)
    if old <= middle:
        return [*_subproof(old, start, middle, read, whole=whole), _range_hash(middle, end, read)]
    return [*_subproof(old, middle, end, read, whole=False), _range_hash(start, middle, read)]


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1
