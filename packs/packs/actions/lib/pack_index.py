"""Indexes of packs: JSON documents `{"packs": {reference: fields}}` that are read over HTTP."""

import json
import os
import re
import ssl
from http.client import HTTPException
from urllib.parse import urlsplit
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener, proxy_bypass_environment

from proxies import proxy_settings

__all__ = ["index_addresses", "read_indexes", "search"]

VARIABLE = "PACKS_INDEX_URL"
NO_INDEX = (
    "There is no index of packs: name one in the parameter index_url, in the variable %s, or as index_url in the "
    "configuration of the pack packs." % VARIABLE
)

_TIMEOUT = 20
_MAX_BYTES = 32 * 1024 * 1024
_NOT_SEARCHED = ("repo_url", "email")


def index_addresses(given, config):
    """
    :param given: addresses with commas between them, before those of the environment and the configuration
    :raises ValueError: when there is none at all
    """
    text = given or os.environ.get(VARIABLE) or config.get("index_url") or ""
    addresses = [word.strip() for word in text.split(",") if word.strip()]
    if not addresses:
        raise ValueError(NO_INDEX)
    return addresses


def read_indexes(addresses, config, logger):
    """
    :return: packs by reference; of equal ones that of the leftmost index. An index that cannot be read is left out.
    :raises RuntimeError: when none can be read
    """
    settings, packs, problems = proxy_settings(config), {}, []
    for address in addresses:
        try:
            found = _read(address, settings)
        except (OSError, HTTPException, ValueError) as error:
            problems.append("%s: %s" % (_masked(address), error))
            logger.warning("An index of packs is left out: %s", problems[-1])
            continue
        for ref, pack in found.items():
            packs.setdefault(ref, pack)
    if len(problems) == len(addresses):
        tried = ", ".join(_masked(address) for address in addresses)
        raise RuntimeError("No results from the index: tried %s. Status: %s" % (tried, "; ".join(problems)))
    return packs


def search(packs, query):
    """:return: the packs in which a text occurs, case aside; first those with it in their names, then in their keywords"""
    ranked = [(_rank(pack, query.lower()), pack) for pack in packs.values()]
    hits = [(rank, pack) for rank, pack in ranked if rank is not None]
    return [pack for _, pack in sorted(hits, key=lambda hit: hit[0])]


def _rank(pack, query):
    hits = [name for name, value in pack.items() if name not in _NOT_SEARCHED and _occurs(query, value)]
    if not hits:
        return None
    return 0 if "name" in hits else 1 if "keywords" in hits else 2


def _occurs(query, value):
    """Within texts; of lists and objects whole items and keys count."""
    if isinstance(value, str):
        return query in value.lower()
    if isinstance(value, (list, dict)):
        return any(str(item).lower() == query for item in value)
    return False


def _read(address, settings):
    if urlsplit(address).scheme not in ("http", "https"):
        raise ValueError("this is no address of HTTP")
    request = Request(address, headers={"Accept": "application/json"})
    with _opener(address, settings).open(request, timeout=_TIMEOUT) as answer:
        text = answer.read(_MAX_BYTES + 1)
    if len(text) > _MAX_BYTES:
        raise ValueError("it is larger than %d bytes" % _MAX_BYTES)
    document = json.loads(text.decode("utf-8"))
    packs = document.get("packs") if isinstance(document, dict) else None
    if not isinstance(packs, dict):
        raise ValueError('it has no object "packs"')
    return {ref: pack for ref, pack in packs.items() if isinstance(pack, dict)}


def _opener(address, settings):
    direct = proxy_bypass_environment(urlsplit(address).netloc, {"no": settings.get("no_proxy", "")})
    schemes = () if direct else ("http", "https")
    proxies = {scheme: settings[scheme + "_proxy"] for scheme in schemes if scheme + "_proxy" in settings}
    trusted = ssl.create_default_context(cafile=settings.get("proxy_ca_bundle_path"))
    return build_opener(ProxyHandler(proxies), HTTPSHandler(context=trusted))


def _masked(address):
    """The address without user and password."""
    return re.sub(r"(://)[^/@]*@", r"\1", address)
