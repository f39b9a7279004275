"""The Merkle tree against the known vectors of RFC 6962 implementations, and against its definition for every size."""

from __future__ import annotations

import hashlib

import pytest

from submissions.transparency.merkle import (
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    node_hash,
    root_hash,
)
from submissions.transparency.tiles import WIDTH, read_address, subtree_reader, tile_address, tile_width, tree_hash

# The eight leaves, roots and proofs that implementations of RFC 6962 are compared by
# (certificate-transparency, merkletree/merkle_tree_test.cc; also transparency-dev/merkle, testonly).
LEAVES = [bytes.fromhex(text) for text in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"
)]  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
PATHS = {  # (leaf from 1, size) → hashes
    (1, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (6, 8): (
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (3, 3): ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",),
    (2, 5): (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}
PROOFS = {  # (old size, new size) → hashes
    (1, 1): (),
    (1, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (6, 8): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 5): (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}
HASHES = [leaf_hash(leaf) for leaf in LEAVES]


def in_hex(hashes: list[bytes]) -> tuple[str, ...]:
    return tuple(each.hex() for each in hashes)


def of_list(hashes: list[bytes]):
    """The subtrees of a tree whose leaves are all at hand."""
    return lambda level, index: tree_hash(hashes[index << level : (index + 1) << level])


def by_definition(hashes: list[bytes]) -> bytes:
    """MTH of RFC 6962, 2.1, word for word."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    k = max(1 << power for power in range(20) if 1 << power < len(hashes))
    return node_hash(by_definition(hashes[:k]), by_definition(hashes[k:]))


def test_roots_of_the_vectors() -> None:
    assert [root_hash(size, of_list(HASHES)).hex() for size in range(1, 9)] == list(ROOTS)
    assert root_hash(0, of_list([])).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(("place", "hashes"), PATHS.items())
def test_inclusion_proofs_of_the_vectors(place: tuple[int, int], hashes: tuple[str, ...]) -> None:
    number, size = place
    assert in_hex(inclusion_proof(number - 1, size, of_list(HASHES))) == hashes


@pytest.mark.parametrize(("sizes", "hashes"), PROOFS.items())
def test_consistency_proofs_of_the_vectors(sizes: tuple[int, int], hashes: tuple[str, ...]) -> None:
    assert in_hex(consistency_proof(*sizes, of_list(HASHES))) == hashes


def test_proofs_of_every_small_tree_are_accepted_and_no_others() -> None:
    hashes = [leaf_hash(bytes([number])) for number in range(40)]
    roots = [by_definition(hashes[:size]) for size in range(41)]
    for size in range(1, 41):
        read = of_list(hashes[:size])
        assert root_hash(size, read) == roots[size]
        for index in range(size):
            proof = inclusion_proof(index, size, read)
            assert is_included(hashes[index], index, size, proof, roots[size])
            assert not is_included(hashes[index - 1], index, size, proof, roots[size]) or size == 1
            assert not is_included(hashes[index], index, size, [*proof, proof[0] if proof else roots[1]], roots[size])
            assert not is_included(hashes[index], index, size, proof[:-1], roots[size]) or not proof
        for old in range(1, size + 1):
            proof = consistency_proof(old, size, read)
            assert is_consistent(old, size, roots[old], roots[size], proof)
            assert not is_consistent(old, size, roots[old - 1], roots[size], proof)
            assert not is_consistent(old, size, roots[old], roots[size - 1], proof)
            if proof:
                assert not is_consistent(old, size, roots[old], roots[size], proof[:-1])


@pytest.mark.parametrize("size", [1, 255, 256, 257, 1_000, 70_000])
def test_tiles_give_the_same_tree(size: int) -> None:
    hashes = [leaf_hash(number.to_bytes(4, "big")) for number in range(size)]

    def tiles(level: int, index: int, width: int) -> bytes:
        step = WIDTH**level
        starts = (WIDTH * index + number for number in range(width))
        return b"".join(tree_hash(hashes[start * step : (start + 1) * step]) for start in starts)

    read = subtree_reader(tiles, size)
    assert root_hash(size, read) == by_definition(hashes)
    proof = inclusion_proof(size // 2, size, read)
    assert is_included(hashes[size // 2], size // 2, size, proof, by_definition(hashes))


def test_addresses_of_tiles_are_those_of_the_specification() -> None:
    assert tile_address(0, 1_234_067) == "tile/0/x001/x234/067"
    assert tile_address("entries", 5, 17) == "tile/entries/005.p/17"
    assert read_address("x001/x234/067") == (1_234_067, 256)
    assert read_address("005.p/17") == (5, 17)
    for wrong in ("5", "x005", "x000/005", "005.p/0", "005.p/256", "005.p/017", "005/", "x1/005", "٠٠٥"):
        assert read_address(wrong) is None
    assert [tile_width(0, index, 300) for index in range(3)] == [256, 44, 0]
    assert [tile_width(1, index, 70_000) for index in range(2)] == [256, 17]
