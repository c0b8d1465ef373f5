"""Client addresses as limits count them."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

_IPV6_PREFIX = 64
"""One customer's network, in which the customer chooses addresses freely."""


def limited_address(address: str) -> str:
    """The IPv4 address, or the /64 network of an IPv6 address; other text stays as it is.

    An IPv4 address that a dual-stack socket reports as ``::ffff:192.0.2.1`` is that IPv4 address.
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ip_network((ip, _IPV6_PREFIX), strict=False))
