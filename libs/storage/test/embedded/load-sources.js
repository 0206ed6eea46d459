// Enables a plain Node.js process of a test to load this repository's TypeScript by package name, as Jest does.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

const libs = join(__dirname, '../../..');
const cache = join(libs, '../.cache/sources');
mkdirSync(cache, { recursive: true });

/** The JavaScript of a file. Many processes of a test load the same files, and compiling them takes three seconds. */
function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const path = join(cache, `${createHash('sha256').update(source).digest('hex')}.js`);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const ts = require('typescript');
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  // Another process may read it at the same time.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, outputText);
  renameSync(draft, path);
  return outputText;
}

require.extensions['.ts'] = (module, filename) => module._compile(compiled(filename), filename);

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const name = /^@switchyard\/([\w-]+)$/.exec(request)?.[1];
  const source = name && join(libs, name, 'src/index.ts');
  return source && existsSync(source) ? source : resolve.call(this, request, ...rest);
};
