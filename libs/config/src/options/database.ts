import { bool, choice, int, path, str } from '../option';

export const database = {
  host: str('127.0.0.1', 'Host name of the database server, or a whole mongodb:// address.'),
  port: int(27017, 'Port of the database server.', { minimum: 1 }),
  db_name: str('svc', 'Name of the database.'),
  username: str(null, 'User name for the database.'),
  password: str(null, 'Password for the database.', { secret: true }),
  connection_timeout: int(3000, 'Milliseconds to wait for a connection.', { minimum: 0 }),
  connection_retry_max_delay_m: int(3, 'Minutes after which connecting is given up.', { minimum: 0 }),
  connection_retry_backoff_max_s: int(10, 'Longest pause between two attempts to connect, seconds.', { minimum: 0 }),
  connection_retry_backoff_mul: int(1, 'First pause between two attempts to connect, seconds; it doubles.', {
    minimum: 0,
  }),
  tls: bool(false, 'Use TLS.', { aliases: ['database.ssl'] }),
  tls_certificate_key_file: path(null, 'PEM file with the client certificate and its key.'),
  tls_certificate_key_file_password: str(null, 'Password of that key.', { secret: true }),
  tls_ca_file: path(null, 'PEM file with the certificates of trusted authorities.', {
    aliases: ['database.ssl_ca_certs'],
  }),
  tls_allow_invalid_certificates: bool(null, 'Accept a server certificate that cannot be verified.'),
  tls_allow_invalid_hostnames: bool(null, 'Accept a server certificate of another host.'),
  ssl_keyfile: path(null, 'Deprecated: key of the client, now in tls_certificate_key_file.'),
  ssl_certfile: path(null, 'Deprecated: certificate of the client, now in tls_certificate_key_file.'),
  ssl_cert_reqs: choice(['none', 'optional', 'required'], null, 'Deprecated: now tls_allow_invalid_certificates.'),
  ssl_match_hostname: bool(null, 'Deprecated: now tls_allow_invalid_hostnames.'),
  authentication_mechanism: str(null, 'Authentication mechanism, such as MONGODB-X509.'),
  compressors: str('', 'Compression of the connection: zstd or zlib; empty for none.'),
  zlib_compression_level: int(null, 'Level of zlib compression, -1 to 9.', { minimum: -1 }),
};
