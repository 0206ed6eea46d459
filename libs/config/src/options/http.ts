import { bool, choice, intOption, json, legacy, list, path, str } from '../option';
import { loggingFile } from './each-service';

export const api = {
  host: str('127.0.0.1', 'Address to listen on.'),
  port: intOption(9101, 'Port to listen on; 0 for any free one.', { minimum: 0 }),
  allow_origin: list(
    ['http://127.0.0.1:3000'],
    'Origins from which browsers may call api, auth and stream; * for any.',
  ),
  allowed_hosts: list(
    [],
    'Additional host names that clients may use to reach api, auth and stream. Checked only while auth.enable is false, and for logins with a default password. The addresses in this file and those of this machine are always allowed.',
  ),
  max_page_size: intOption(100, 'Largest page size of lists for users who are not administrators.', { minimum: 1 }),
  mask_secrets: bool(true, 'Replace secret values in responses with asterisks.'),
  delete_content: bool(
    true,
    'Allow DELETE requests to remove packs and sensors from the store. If false, these requests fail with status 404, as in StackStorm. packs.unload and svc pack remove work either way.',
  ),
  auth_cookie_secure: bool(
    true,
    'Set the Secure attribute of the auth-token cookie, so that browsers send it over TLS only.',
  ),
  auth_cookie_same_site: choice(
    ['strict', 'lax', 'none', 'unset'],
    'lax',
    'The SameSite attribute of the auth-token cookie.',
  ),
  debug: legacy('the option debug in [DEFAULT] sets the log level'),
  logging: loggingFile(),
};

export const auth = {
  enable: bool(true, 'Require credentials for requests to the API.'),
  host: str('127.0.0.1', 'Address to listen on.'),
  port: intOption(9100, 'Port to listen on; 0 for any free one.', { minimum: 0 }),
  use_ssl: bool(false, 'Serve TLS.'),
  cert: path(null, 'PEM file with the server certificate.', { mustExist: 'file' }),
  key: path(null, 'PEM file with the private key of the server.', { mustExist: 'file' }),
  mode: choice(
    ['standalone', 'proxy'],
    'standalone',
    'Who checks passwords: a backend (standalone) or a proxy in front of this service (proxy).',
  ),
  backend: str('flat_file', 'Name of the authentication backend in standalone mode.'),
  backend_kwargs: json('Arguments for the backend, such as {"file_path": "/etc/svc/htpasswd"}.', { secret: true }),
  token_ttl: intOption(86400, 'Default lifetime of a token, and the longest that users may request, in seconds.', {
    minimum: 1,
  }),
  service_token_ttl: intOption(86400, 'Lifetime of tokens of actions and sensors, in seconds.', { minimum: 1 }),
  api_url: str(null, 'Public address of the API, without the version. Unset: built from api.host and api.port.'),
  trusted_proxies: list(
    [],
    'Addresses and networks of the proxies in front of this service, such as 10.0.0.7 or 10.1.0.0/16. In proxy mode they name the user; in both modes they name the address of the client.',
  ),
  proxy_socket: path(
    null,
    'Unix socket on which this service also listens. Requests through it count as sent by a trusted proxy.',
  ),
  proxy_user_header: str(
    'X-Forwarded-User',
    'Header in which a trusted proxy names the user in proxy mode. With Authorization, the user is that of basic credentials.',
  ),
  proxy_address_header: str(
    'X-Forwarded-For',
    'Header in which a trusted proxy names the address of the client, for the log and for limits.',
  ),
  sso: bool(false, 'Offer single sign-on.'),
  sso_backend: str('noop', 'Name of the single sign-on backend: oidc or saml2. With noop there is none.'),
  sso_backend_kwargs: json(
    'Arguments for the single sign-on backend, such as {"issuer": "https://id.example", "client_id": "svc"}.',
    { secret: true },
  ),
  debug: bool(false, 'Write log lines of level debug in the process of this service.', { reloadable: true }),
  logging: loggingFile(),
};

export const stream = {
  host: str('127.0.0.1', 'Address to listen on.'),
  port: intOption(9102, 'Port to listen on; 0 for any free one.', { minimum: 0 }),
  heartbeat: intOption(25, 'Interval between the blank lines that keep a connection open, in seconds.', { minimum: 1 }),
  debug: legacy('the option debug in [DEFAULT] sets the log level'),
  logging: loggingFile(),
};

export const webui = {
  webui_base_url: str(null, 'Address of the web console, used in links. Unset: https:// and the name of this host.'),
};
