import { bool, choice, int, json, legacy, path, str } from '../option';
import { loggingFile } from './logging-file';

const noSingleSignOn = legacy('there is no single sign-on yet');

export const auth = {
  enable: bool(true, 'Ask for credentials on the API.'),
  host: str('127.0.0.1', 'Address to listen on.'),
  port: int(9100, 'Port to listen on; 0 for any free one.', { minimum: 0 }),
  use_ssl: bool(false, 'Serve TLS.'),
  cert: path(null, 'PEM file with the certificate of the server.'),
  key: path(null, 'PEM file with the key of the server.'),
  mode: choice(['standalone', 'proxy'], 'standalone', 'Who checks the password: a backend, or the proxy in front.'),
  backend: str('flat_file', 'The backend of standalone mode.'),
  backend_kwargs: json('Arguments of the backend, such as {"file_path": "/etc/svc/htpasswd"}.', { secret: true }),
  token_ttl: int(86400, 'Lifetime of a token in seconds: the default, and the longest that users may ask for.', {
    minimum: 1,
  }),
  service_token_ttl: int(86400, 'Lifetime of the tokens of actions and sensors, seconds.', { minimum: 1 }),
  api_url: str(null, 'Public address of the API without version; unset: made of api.host and api.port.'),
  sso: bool(false, 'Offer single sign-on.'),
  sso_backend: noSingleSignOn,
  sso_backend_kwargs: noSingleSignOn,
  debug: legacy('the log level is set by the ungrouped option debug'),
  logging: loggingFile,
};
