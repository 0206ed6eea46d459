// Lets a plain Node process of a test load this repository's TypeScript by package name, as Jest does.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const ts = require('typescript');

const libs = join(__dirname, '../../..');
const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };

require.extensions['.ts'] = (module, filename) =>
  module._compile(ts.transpileModule(readFileSync(filename, 'utf8'), { compilerOptions }).outputText, filename);

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const name = /^@switchyard\/([\w-]+)$/.exec(request)?.[1];
  const source = name && join(libs, name, 'src/index.ts');
  return source && existsSync(source) ? source : resolve.call(this, request, ...rest);
};
