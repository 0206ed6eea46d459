// What the program does not need where it runs. The Debian package is built without it.
// `node deploy/left-out.mjs DIRECTORY…`: removes it from directories, as the image does.
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = String.raw`/node_modules/(@[^/]+/)?[^/@][^/]*`;

const LEFT_OUT = [
  // Type declarations, source maps and records of builds.
  /\.d\.[cm]?ts$|\.map$|\.tsbuildinfo$|\/(\.package-lock\.json|__pycache__)$/,
  // The sources of the compiled parts of dependencies, and what was compiled for other machines.
  /\/node_modules\/.*\.(c|cc|cpp|h|hpp|gyp|gypi|o|a|mk)$/,
  new RegExp(`/prebuilds/(?!linux-${process.arch}(/|$))[^/]+`),
  // Tests of dependencies.
  new RegExp(`${PACKAGE}/tests?$`),
  // ES modules of packages of which the CommonJS build is used.
  /\/node_modules\/@opentelemetry\/[^/]+\/build\/(esm|esnext)$/,
];

/** @param path of a file or directory; it should be absolute */
export const isLeftOut = (path) => LEFT_OUT.some((pattern) => pattern.test(path));

function removeFrom(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (isLeftOut(path)) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) removeFrom(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const directory of process.argv.slice(2)) removeFrom(resolve(directory));
