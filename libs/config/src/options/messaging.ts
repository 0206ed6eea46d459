import { bool, choice, int, list, path, str } from '../option';

export const messaging = {
  driver: choice(['embedded', 'rabbitmq'], 'embedded', 'The message bus: inside the process, or RabbitMQ.'),
  url: str('amqp://guest:guest@127.0.0.1:5672//', 'Address of RabbitMQ.', { secret: true }),
  cluster_urls: list([], 'Addresses of the nodes of a cluster; they replace url.', { secret: true }),
  prefix: str('svc', 'First part of the name of every exchange and queue.'),
  connection_retries: int(10, 'How often connecting is tried again.', { minimum: 0 }),
  connection_retry_wait: int(10000, 'Milliseconds between two attempts to connect.', { minimum: 0 }),
  ssl: bool(false, 'Use TLS.'),
  ssl_keyfile: path(null, 'PEM file with the key of the client.'),
  ssl_certfile: path(null, 'PEM file with the certificate of the client.'),
  ssl_cert_reqs: choice(['none', 'optional', 'required'], null, "Whether the server's certificate is checked."),
  ssl_ca_certs: path(null, 'PEM file with the certificates of trusted authorities.'),
  login_method: choice(['PLAIN', 'AMQPLAIN', 'EXTERNAL'], null, 'How to log in.'),
  compression: choice(['zstd', 'lzma', 'bz2', 'gzip'], null, 'Compression of messages.'),
};
