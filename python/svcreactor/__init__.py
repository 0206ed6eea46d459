"""The product's own name for `st2reactor`."""

from switchyard_alias import alias

alias(__name__, "st2reactor")
