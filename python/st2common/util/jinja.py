"""Renders templates in Python. The system renders its own templates elsewhere; see docs/expressions.md."""

from st2common.util.jsonify import json_decode, json_encode

__all__ = ["get_jinja_environment", "render_values", "is_jinja_expression", "convert_jinja_to_raw_block"]

JINJA_EXPRESSIONS_START_MARKERS = ["{{", "{%"]


def get_jinja_environment(allow_undefined=False, trim_blocks=True, lstrip_blocks=True):
    """
    :param allow_undefined: a missing variable is empty; otherwise rendering fails
    :return: a sandboxed environment with the filters that work without the system
    """
    import jinja2
    import jinja2.sandbox

    from st2common.util.jinja_filters import FILTERS

    environment = jinja2.sandbox.SandboxedEnvironment(
        undefined=jinja2.Undefined if allow_undefined else jinja2.StrictUndefined,
        trim_blocks=trim_blocks,
        lstrip_blocks=lstrip_blocks,
    )
    environment.filters.update(FILTERS)
    environment.tests["in"] = lambda item, items: item in items
    return environment


def render_values(mapping=None, context=None, allow_undefined=False):
    """
    Renders the values of a dictionary. Dictionaries and lists are rendered as JSON. Values without a template keep their
    type.
    """
    if not context or not mapping:
        return mapping
    environment = get_jinja_environment(allow_undefined=allow_undefined)
    variables = {"__context": context, **context}
    rendered = {}
    for key, value in mapping.items():
        is_structure = isinstance(value, (dict, list))
        template = json_encode(value) if is_structure else str(value)
        try:
            text = environment.from_string(template).render(variables)
        except Exception as error:
            error.key, error.value = key, template
            raise
        if text == template:
            rendered[key] = value
        else:
            rendered[key] = json_decode(text) if is_structure else text
    return rendered


def is_jinja_expression(value):
    """:return: whether it is a string that may contain a template"""
    return isinstance(value, str) and any(marker in value for marker in JINJA_EXPRESSIONS_START_MARKERS)


def convert_jinja_to_raw_block(value):
    """:return: the same value, with templates in it protected from being rendered"""
    if isinstance(value, dict):
        return {key: convert_jinja_to_raw_block(member) for key, member in value.items()}
    if isinstance(value, list):
        return [convert_jinja_to_raw_block(member) for member in value]
    if isinstance(value, str) and _is_whole(value):
        return "{% raw %}" + value + "{% endraw %}"
    return value


def _is_whole(text):
    return any(
        start in line and end in line.split(start, 1)[1]
        for line in text.splitlines()
        for start, end in (("{{", "}}"), ("{%", "%}"))
    )
