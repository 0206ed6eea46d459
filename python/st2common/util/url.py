"""Addresses."""

__all__ = ["get_url_without_trailing_slash"]


def get_url_without_trailing_slash(value):
    """:return: the address without its last slash"""
    return value[:-1] if value.endswith("/") else value
