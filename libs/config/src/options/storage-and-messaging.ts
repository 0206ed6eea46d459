import { bool, choice, intOption, legacy, list, path, str } from '../option';

export const storage = {
  driver: choice(
    ['embedded', 'mongodb'],
    'embedded',
    'Where records are stored: in files under system.base_path (embedded), or in the server that [database] names (mongodb).',
  ),
  durability: choice(
    ['commit', 'flush'],
    'commit',
    'Durability of the embedded store. With commit, writes survive a crash of the process. With flush, each commit also waits for the disk, so writes survive a power failure.',
  ),
};

export const database = {
  host: str('127.0.0.1', 'Host name of the database server, or a complete mongodb:// address.'),
  port: intOption(27017, 'Port of the database server.', { minimum: 1 }),
  db_name: str('svc', 'Name of the database.'),
  username: str(null, 'User name for the database.'),
  password: str(null, 'Password for the database.', { secret: true }),
  connection_timeout: intOption(3000, 'Maximum time to wait for a connection, in milliseconds.', { minimum: 0 }),
  connection_retry_max_delay_m: intOption(3, 'Time after which to stop retrying to connect, in minutes.', {
    minimum: 0,
  }),
  connection_retry_backoff_max_s: intOption(10, 'Longest pause between attempts to connect, in seconds.', {
    minimum: 0,
  }),
  connection_retry_backoff_mul: intOption(
    1,
    'First pause between attempts to connect, in seconds. Each further pause is twice as long.',
    {
      minimum: 0,
    },
  ),
  tls: bool(false, 'Use TLS. Also on if a certificate or a certificate authority is configured below.', {
    aliases: ['database.ssl'],
  }),
  tls_certificate_key_file: path(null, 'PEM file with the client certificate and its key.', { mustExist: 'file' }),
  tls_certificate_key_file_password: str(null, 'Password of the key in tls_certificate_key_file.', { secret: true }),
  tls_ca_file: path(null, 'PEM file with the certificates of trusted certificate authorities.', {
    aliases: ['database.ssl_ca_certs'],
    mustExist: 'file',
  }),
  tls_allow_invalid_certificates: bool(null, 'Accept a server certificate that cannot be verified.'),
  tls_allow_invalid_hostnames: bool(null, 'Accept a server certificate that was issued for another host.'),
  ssl_keyfile: path(null, 'PEM file with the private key of the client. Deprecated: use tls_certificate_key_file.', {
    mustExist: 'file',
  }),
  ssl_certfile: path(null, 'PEM file with the client certificate. Deprecated: use tls_certificate_key_file.', {
    mustExist: 'file',
  }),
  ssl_cert_reqs: choice(
    ['none', 'optional', 'required'],
    null,
    'Whether to check the server certificate; none accepts any certificate. Deprecated: use tls_allow_invalid_certificates.',
  ),
  ssl_match_hostname: bool(
    null,
    'Check the host name in the server certificate. Deprecated: use tls_allow_invalid_hostnames.',
  ),
  authentication_mechanism: choice(
    ['SCRAM-SHA-1', 'SCRAM-SHA-256', 'PLAIN', 'MONGODB-X509'],
    null,
    'Authentication mechanism. Unset: the one that the server prefers. MONGODB-X509 uses the client certificate and enables TLS.',
  ),
  compressors: choice(['zlib', 'zstd'], null, 'Compression of the connection. Unset: none.', {
    ignored: { value: 'zstd', reason: 'zstd needs a native package that is not included; use zlib' },
  }),
  zlib_compression_level: intOption(null, 'Level of zlib compression; with -1, zlib chooses.', {
    minimum: -1,
    maximum: 9,
  }),
};

export const messaging = {
  driver: choice(
    ['embedded', 'rabbitmq'],
    'embedded',
    'The message bus: part of the process (embedded), or a RabbitMQ server.',
  ),
  url: str('amqp://guest:guest@127.0.0.1:5672//', 'Address of RabbitMQ.', { secret: true }),
  cluster_urls: list([], 'Addresses of the nodes of a RabbitMQ cluster. They replace url.', { secret: true }),
  prefix: str('svc', 'Prefix of the name of every exchange and queue.'),
  connection_retries: intOption(
    90,
    'How many times to retry connecting at startup. A lost connection is retried without limit.',
    {
      minimum: 0,
    },
  ),
  connection_retry_wait: intOption(
    2000,
    'Longest pause between attempts to connect, in milliseconds. The first pause is 200, and each further one is twice as long.',
    { minimum: 1 },
  ),
  ssl: bool(false, 'Use TLS.'),
  ssl_keyfile: path(null, 'PEM file with the private key of the client.', { mustExist: 'file' }),
  ssl_certfile: path(null, 'PEM file with the client certificate.', { mustExist: 'file' }),
  ssl_cert_reqs: choice(
    ['none', 'optional', 'required'],
    null,
    'Whether to check the server certificate; none accepts any certificate.',
  ),
  ssl_ca_certs: path(null, 'PEM file with the certificates of trusted certificate authorities.', { mustExist: 'file' }),
  login_method: choice(
    ['PLAIN', 'AMQPLAIN', 'EXTERNAL'],
    null,
    'Authentication mechanism. Unset: PLAIN. EXTERNAL uses the client certificate.',
  ),
  compression: legacy('messages have at most 4 kB, so they are not compressed'),
};
