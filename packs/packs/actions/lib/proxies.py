"""Proxies for programs that fetch something."""

import os

__all__ = ["given_proxies", "proxy_environment", "proxy_settings"]

_CERTIFICATES = "proxy_ca_bundle_path"
_NAMES = ("http_proxy", "https_proxy", "no_proxy", _CERTIFICATES)


def given_proxies():
    """:return: what the environment of the action says"""
    found = {name: os.environ.get(name) or os.environ.get(name.upper()) for name in _NAMES}
    return {name: value for name, value in found.items() if value}


def proxy_settings(config):
    """:return: what the environment says and, where it says nothing, the configuration of this pack"""
    settings = {name: config.get(name) for name in _NAMES if config.get(name)}
    settings.update(given_proxies())
    return settings


def proxy_environment(config):
    """:return: the same as variables for git"""
    variables = proxy_settings(config)
    certificates = variables.pop(_CERTIFICATES, None)
    if certificates:
        variables["GIT_SSL_CAINFO"] = certificates
    return variables
