import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import type { RouteResponse, Site, SiteRequest } from '@switchyard/http';

/** The directory with the built web console from `apps/console`. */
const BUILT = resolve(__dirname, '../../../../apps/console/dist/site');

export const isConsoleBuilt = (): boolean => existsSync(join(BUILT, 'index.html'));

/**
 * The files of the web console: its page at `/` for browsers, and the assets of the page at `/assets`. Other clients
 * that read `/` still get the version of the API. A checkout without a built console has no site.
 */
export const consoleSite =
  (directory = BUILT): Site =>
  async (request) => {
    if (request.path === '/') return acceptsHtml(request) ? page(directory, request) : undefined;
    const [, name] = ASSET.exec(request.path) ?? [];
    return name === undefined ? undefined : asset(directory, name, request);
  };

/** Names without a slash, so that no path leads out of the directory. */
const ASSET = /^\/assets\/([\w-][\w.-]*)$/;

const acceptsHtml = ({ header }: SiteRequest): boolean => (header('accept') ?? '').includes('text/html');

async function page(directory: string, request: SiteRequest): Promise<RouteResponse | undefined> {
  const file = await builtFile(join(directory, 'index.html'), request);
  return file && { status: 200, bytes: file.bytes, headers: { ...file.headers, ...PAGE_HEADERS } };
}

async function asset(directory: string, name: string, request: SiteRequest): Promise<RouteResponse | undefined> {
  const file = await builtFile(join(directory, 'assets', name), request);
  if (!file) return undefined;
  // The name of an asset contains the hash of its content.
  const headers = { ...file.headers, 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' };
  return { status: 200, bytes: file.bytes, headers };
}

/**
 * Scripts and requests are limited to this origin, and no script is inline. Styles may be inline, because the component
 * library and the editor write style elements. The referrer is sent to this origin, where single sign-on returns to.
 */
const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept, Accept-Encoding',
};

/** Reads a file as the client accepts it: the build stores text compressed as well. */
async function builtFile(path: string, { header }: SiteRequest) {
  const type = { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' };
  if (/\bgzip\b/.test(header('accept-encoding') ?? '')) {
    const bytes = await existing(`${path}.gz`);
    if (bytes) return { bytes, headers: { ...type, 'Content-Encoding': 'gzip' } };
  }
  const bytes = await existing(path);
  return bytes && { bytes, headers: type };
}

async function existing(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=UTF-8',
  '.js': 'text/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
