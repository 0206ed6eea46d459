import type { Observer } from '@switchyard/client';

/** What `--debug` shows of each request: a command line to repeat it, and the answer. Secrets are masked already. */
export const wireLog = (print: (line: string) => void): Observer => ({
  request({ method, url, headers, body }) {
    const parts = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
    const data = body === undefined ? [] : [`--data-binary ${quoted(JSON.stringify(body))}`];
    print(`# ${['curl', `-X ${method}`, ...parts, ...data, quoted(url)].join(' ')}`);
  },
  answer({ method, url, status, durationMs, body }) {
    print(`# ${status} in ${durationMs} ms: ${method} ${url}`);
    if (body !== undefined) print(typeof body === 'string' ? body : JSON.stringify(body));
  },
});

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
