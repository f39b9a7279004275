"""`{% url %}` of every page: an address is worked out once, and then remembered.

It takes the place of Django's own tag (`builtins` of the settings): a page of 50 rows has more than 100 addresses.
"""

from functools import lru_cache
from typing import Any

from django import template
from django.template import defaulttags
from django.template.base import Parser, Token
from django.urls import get_script_prefix, reverse
from django.utils.html import conditional_escape

REMEMBERED = 20_000  # addresses
register = template.Library()


def address_of(name: str, *args: object) -> str:
    """The path of the page with this name; `NoReverseMatch` if there is none."""
    return _address(name, args, get_script_prefix())


@lru_cache(maxsize=REMEMBERED)
def _address(name: str, args: tuple[object, ...], prefix: str) -> str:
    """`prefix`: what the address depends on as well. No request has addresses of its own (`request.urlconf`)."""
    return reverse(name, args=args)


class AddressNode(defaulttags.URLNode):
    """Django's node; only addresses by name and place are remembered."""

    def render(self, context: Any) -> str:
        name = self.view_name.resolve(context)
        if self.kwargs or self.asvar or ":" in name:
            return super().render(context)
        address = address_of(name, *(arg.resolve(context) for arg in self.args))
        return conditional_escape(address) if context.autoescape else address


@register.tag
def url(parser: Parser, token: Token) -> AddressNode:
    """`{% url 'submission' number %}`."""
    node = defaulttags.url(parser, token)
    return AddressNode(node.view_name, node.args, node.kwargs, node.asvar)
