"""Limits of sensors, and names of the ways to assign them to containers."""

MINIMUM_POLL_INTERVAL = 4
DEFAULT_PARTITION_LOADER = "default"
KVSTORE_PARTITION_LOADER = "kvstore"
FILE_PARTITION_LOADER = "file"
HASH_PARTITION_LOADER = "hash"
