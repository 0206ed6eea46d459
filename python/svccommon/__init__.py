"""The product's own name for `st2common`."""

from switchyard_alias import alias

alias(__name__, "st2common")
