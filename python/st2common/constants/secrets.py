"""The text that replaces secrets."""

MASKED_ATTRIBUTE_VALUE = "********"
MASKED_ATTRIBUTES_BLACKLIST = ["password", "auth_token", "token", "secret", "credentials", "st2_auth_token"]
