import type { RunnerType } from '../runner-plugin';

const hosts = { type: 'array', items: { type: 'string' }, required: false } as const;

/** Interface sheet "execution", section 12. */
export const manifest: RunnerType = {
  name: 'http-request',
  description: 'Sends an HTTP request.',
  enabled: true,
  runner_package: 'http-request',
  runner_module: 'http-request',
  runner_parameters: {
    url: { type: 'string', description: 'Where the request goes.', required: true },
    headers: { type: 'object', description: 'Header fields of the request, by name.' },
    cookies: { type: 'object', description: 'Cookies for the host of the URL, by name.' },
    username: { type: 'string', description: 'Name for basic authentication.' },
    password: { type: 'string', description: 'Password for basic authentication.', secret: true },
    allow_redirects: { type: 'boolean', description: 'Whether redirects are followed.', default: false },
    verify_ssl_cert: {
      type: 'boolean',
      description: 'Whether the certificate of the server is checked.',
      default: true,
    },
    http_proxy: { type: 'string', description: 'URL of the proxy for http URLs.' },
    https_proxy: { type: 'string', description: 'URL of the proxy for https URLs.' },
    url_hosts_blacklist: { ...hosts, description: 'Hosts that no request may go to, redirects included.' },
    url_hosts_whitelist: { ...hosts, description: 'The only hosts that requests may go to, redirects included.' },
  },
  output_key: 'body',
  output_schema: {
    type: 'object',
    properties: {
      status_code: { type: 'integer' },
      body: {
        anyOf: [
          { type: 'object' },
          { type: 'string' },
          { type: 'integer' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'array' },
          { type: 'null' },
        ],
      },
      parsed: { type: 'boolean' },
      headers: { type: 'object' },
    },
    additionalProperties: false,
  },
};
