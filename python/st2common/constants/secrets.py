"""How secrets are shown."""

MASKED_ATTRIBUTE_VALUE = "********"
MASKED_ATTRIBUTES_BLACKLIST = ["password", "auth_token", "token", "secret", "credentials", "st2_auth_token"]
