"""Environment variables with the address of the API."""

API_URL_ENV_VARIABLE_NAME = "ST2_API_URL"
AUTH_TOKEN_ENV_VARIABLE_NAME = "ST2_AUTH_TOKEN"
