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
  tls: bool(false, 'Use TLS; on as well when a certificate or authority is named below.', {
    aliases: ['database.ssl'],
  }),
  tls_certificate_key_file: path(null, 'PEM file with the client certificate and its key.'),
  tls_certificate_key_file_password: str(null, 'Password of that key.', { secret: true }),
  tls_ca_file: path(null, 'PEM file with the certificates of trusted authorities.', {
    aliases: ['database.ssl_ca_certs'],
  }),
  tls_allow_invalid_certificates: bool(null, 'Accept a server certificate that cannot be verified.'),
  tls_allow_invalid_hostnames: bool(null, 'Accept a server certificate of another host.'),
  ssl_keyfile: path(null, 'Deprecated, use tls_certificate_key_file: PEM file with the key of the client.'),
  ssl_certfile: path(null, 'Deprecated, use tls_certificate_key_file: PEM file with the client certificate.'),
  ssl_cert_reqs: choice(
    ['none', 'optional', 'required'],
    null,
    'Deprecated, use tls_allow_invalid_certificates: none accepts any certificate.',
  ),
  ssl_match_hostname: bool(null, 'Deprecated, use tls_allow_invalid_hostnames: false accepts any host.'),
  authentication_mechanism: choice(
    ['SCRAM-SHA-1', 'SCRAM-SHA-256', 'PLAIN', 'MONGODB-X509'],
    null,
    'How to log in; unset: as the server prefers. MONGODB-X509 uses the client certificate and turns TLS on.',
  ),
  compressors: choice(['zlib', 'zstd'], null, 'Compression of the connection; unset: none.', {
    ignored: { value: 'zstd', reason: 'zstd needs a native package that does not come with this program; zlib works' },
  }),
  zlib_compression_level: int(null, 'Level of zlib compression; -1 leaves the choice to zlib.', {
    minimum: -1,
    maximum: 9,
  }),
};
