"""`{% csrf_token %}` of every form, which also says for which property the form was made (`web.access_gate`).

It takes the place of Django's own tag (`builtins` of the settings), so that no form can be forgotten.
"""

from typing import Any

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from submissions.web.access_gate import FIELD

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_token(context: Any) -> SafeString:
    """Return the hidden fields: the token; for a person of several properties, the row that acts."""
    token = mark_safe(CsrfTokenNode().render(context))
    acting = context.get("acting")
    if not acting or not acting.is_one_of_several:
        return token
    return token + format_html('<input type="hidden" name="{}" value="{}">', FIELD, acting.person.pk)
