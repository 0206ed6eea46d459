import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { messagesPlugin } from './messages.mjs';

const site = fileURLToPath(new URL('dist/site', import.meta.url));

/** Stores text files compressed as well, so that the server does not compress them for each request. */
const compressed = () => ({
  name: 'compressed',
  closeBundle() {
    for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(html|js|css|svg)$/.test(name)) continue;
      const path = join(site, name);
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    }
  },
});

// The server of a running system, for `vite` in development.
const target = process.env.SVC_API_URL ?? 'http://127.0.0.1:9101';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  logLevel: 'warn',
  plugins: [messagesPlugin(), compressed()],
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    // All of these support light-dark(), so it needs no replacement.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlining small images would need a wider content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    // Libraries mark modules for server-side rendering, which is not used here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '/api': target, '/auth': target, '/stream': target } },
});
