import { request } from 'node:http';
import type { HttpApp } from '@switchyard/http';
import { listening } from '../sample-app';

interface Sent {
  method: string;
  path: string;
  /** Sent separately, with chunked encoding and without a content type. */
  chunks: readonly string[];
}

/** Sends a request that a client library would not send. */
export async function fetchOnce(
  app: HttpApp,
  { method, path, chunks }: Sent,
): Promise<{ status: number; body: string }> {
  let result = { status: 0, body: '' };
  await listening(app, async (port) => {
    result = await new Promise((resolve, reject) => {
      const headers = { 'x-auth-token': 'key', 'transfer-encoding': 'chunked' };
      const sent = request({ port, method, path, headers }, (answer) => {
        let body = '';
        answer.on('data', (part) => (body += String(part)));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      });
      sent.on('error', reject);
      for (const chunk of chunks) sent.write(chunk);
      sent.end();
    });
  });
  return result;
}
