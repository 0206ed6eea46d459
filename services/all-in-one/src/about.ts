import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { About } from '@switchyard/http';

/** The version of the product, from its package. */
export function aboutProduct(): About {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
  return { version, docsUrl: 'https://docs.stackstorm.com/latest' };
}
