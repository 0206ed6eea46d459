"""Proxies for programs that fetch something."""

import os

__all__ = ["given_proxies", "proxy_environment"]

_CERTIFICATES = "proxy_ca_bundle_path"
_NAMES = ("http_proxy", "https_proxy", "no_proxy", _CERTIFICATES)


def given_proxies():
    """:return: what the environment of the action says"""
    found = {name: os.environ.get(name) or os.environ.get(name.upper()) for name in _NAMES}
    return {name: value for name, value in found.items() if value}


def proxy_environment(config):
    """:return: variables for git, from the environment and, where it says nothing, the configuration of this pack"""
    variables = {name: config.get(name) for name in _NAMES if config.get(name)}
    variables.update(given_proxies())
    certificates = variables.pop(_CERTIFICATES, None)
    if certificates:
        variables["GIT_SSL_CAINFO"] = certificates
    return variables
