import { bool, choice, int, legacy, list, path, str } from '../option';

export const messaging = {
  driver: choice(['embedded', 'rabbitmq'], 'embedded', 'The message bus: inside the process, or RabbitMQ.'),
  url: str('amqp://guest:guest@127.0.0.1:5672//', 'Address of RabbitMQ.', { secret: true }),
  cluster_urls: list([], 'Addresses of the nodes of a cluster; they replace url.', { secret: true }),
  prefix: str('svc', 'First part of the name of every exchange and queue.'),
  connection_retries: int(
    90,
    'How often connecting is tried again at the start. A lost connection is always restored.',
    {
      minimum: 0,
    },
  ),
  connection_retry_wait: int(
    2000,
    'Longest pause between two attempts to connect, milliseconds; pauses begin at 200 and double.',
    { minimum: 1 },
  ),
  ssl: bool(false, 'Use TLS.'),
  ssl_keyfile: path(null, 'PEM file with the key of the client.'),
  ssl_certfile: path(null, 'PEM file with the certificate of the client.'),
  ssl_cert_reqs: choice(['none', 'optional', 'required'], null, "Whether the server's certificate is checked."),
  ssl_ca_certs: path(null, 'PEM file with the certificates of trusted authorities.'),
  login_method: choice(
    ['PLAIN', 'AMQPLAIN', 'EXTERNAL'],
    null,
    'How to log in; unset: PLAIN. EXTERNAL uses the client certificate.',
  ),
  compression: legacy('messages are pointers of at most 4 kB'),
};
