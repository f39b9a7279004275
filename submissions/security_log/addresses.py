"""Network addresses of callers: the network that counts as one source, and an order in which networks are ranges.

Pure. Not here: which address a request has (`web`, `api`: behind as many proxies as are trusted).
"""

import ipaddress

from submissions.core.errors import Refusal

IPV6_NETWORK = 64  # bits: one customer of an internet provider has as many addresses
IPV4_IN_IPV6 = 0xFFFF << 32  # RFC 4291, 2.5.5.2
EXCERPT_LENGTH = 40  # characters of what was entered, in a message


def network_of_address(address: str) -> str:
    """An IPv4 address as it is; of an IPv6 address its network."""
    parsed = ipaddress.ip_address(address)
    if parsed.version == 6:
        return str(ipaddress.ip_network(f"{address}/{IPV6_NETWORK}", strict=False))
    return str(parsed)


def source_of_address(address: str) -> str:
    """As `network_of_address`; "" where the caller's address is not known."""
    return network_of_address(address) if address else ""


def address_order(address: str) -> str:
    """32 hexadecimal digits: the IPv6 address, or the IPv4 address mapped into IPv6; "" for none."""
    return f"{_number(ipaddress.ip_address(address)):032x}" if address else ""


def order_range(text: str) -> tuple[str, str]:
    """The first and the last address of a network such as 203.0.113.0/24, or of one address, in that order.

    Raises `Refusal` for any other text.
    """
    try:
        network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise Refusal("network-wrong/search", text=text[:EXCERPT_LENGTH]) from None
    return f"{_number(network[0]):032x}", f"{_number(network[-1]):032x}"


def _number(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> int:
    return int(address) if address.version == 6 else IPV4_IN_IPV6 + int(address)
