"""Proxy settings for programs that download something."""

import os

__all__ = ["given_proxies", "proxy_environment", "proxy_settings"]

_CERTIFICATES = "proxy_ca_bundle_path"
_NAMES = ("http_proxy", "https_proxy", "no_proxy", _CERTIFICATES)


def given_proxies():
    """:return: the settings in the environment of the action"""
    found = {name: os.environ.get(name) or os.environ.get(name.upper()) for name in _NAMES}
    return {name: value for name, value in found.items() if value}


def proxy_settings(config):
    """:return: the settings in the environment, with those in the configuration of this pack as fallback"""
    settings = {name: config.get(name) for name in _NAMES if config.get(name)}
    settings.update(given_proxies())
    return settings


def proxy_environment(config):
    """:return: the settings as environment variables for git"""
    variables = proxy_settings(config)
    certificates = variables.pop(_CERTIFICATES, None)
    if certificates:
        variables["GIT_SSL_CAINFO"] = certificates
    return variables
