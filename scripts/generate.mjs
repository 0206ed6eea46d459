// `node scripts/generate.mjs [--check]`: writes the files that are generated from code. With --check it lists the outdated
// ones and exits with 1.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
// Imported here, since it may not be installed until the step above.
const { format } = await import('oxfmt');
const { catalogue } = require('@switchyard/base');
const { loadConfig, paths, sampleConfig } = require('@switchyard/config');
const { ADMINISTRATORS, ANY_USER, openApiDocument } = require('@switchyard/http');
const { runnerRegistry } = require('@switchyard/runners');
const { apiRoutes } = require('@switchyard/api');
const { authRoutes } = require('@switchyard/auth');
const { streamRoutes } = require('@switchyard/stream');
const { catalogueFiles } = await import('../apps/console/messages.mjs');

const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** Stands for every dependency of the routes, which are listed but never called here. */
const unused = new Proxy(() => unused, { get: (_, name) => (typeof name === 'symbol' ? undefined : unused) });

/** The routes of each service, by their prefix on the single listener of `npm start`. */
function routesByPrefix() {
  const { config } = loadConfig({ environment: {} });
  const about = { version, docsUrl: '' };
  const runners = runnerRegistry({ config, paths: paths(config) });
  const api = apiRoutes({
    config,
    about,
    runners,
    ...withUnused('paths clock logger store instances bus executions identities'),
  });
  const auth = authRoutes(withUnused('identities login clientAddress logger apiUrl maxBodyBytes maxPageSize'));
  const stream = streamRoutes(withUnused('store executions feed clock logger'));
  return { '/api/v1': api, '/auth/v1': auth, '/stream/v1': stream };
}

/** Every operation, with its address on the single listener of `npm start`. */
function openApi() {
  const info = { title: 'Switchyard', version, description: 'Every operation of the API, auth and stream services.' };
  const mounts = Object.entries(routesByPrefix()).map(([prefix, routes]) => ({
    prefixes: [prefix],
    routes,
  }));
  const document = openApiDocument(mounts, info);
  return `${JSON.stringify(document, null, 2)}\n`;
}

const withUnused = (names) => Object.fromEntries(names.split(' ').map((name) => [name, unused]));

/** The areas with their errors, in catalogue order. */
function errorsPage() {
  const areas = new Map();
  for (const [code, entry] of Object.entries(catalogue)) {
    const area = code.includes('.') ? code.slice(0, code.indexOf('.')) : 'internal';
    areas.set(area, [...(areas.get(area) ?? []), [code, entry]]);
  }
  const row = ([code, { status, template }]) => `| \`${code}\` | ${status} | ${cell(template)} |`;
  const tables = [...areas].map(([area, entries]) =>
    [`## ${area}`, '', '| code | status | text |', '| --- | --- | --- |', ...entries.map(row)].join('\n'),
  );
  const head = [
    '# Errors',
    '',
    'Generated from the catalogue in `libs/base/src/errors` by `node scripts/generate.mjs`; edit it there.',
    '',
    'The API answers an error with its status and the body `{"faultstring": "…"}`, with values in place of the placeholders',
    'of the text. The code is the name of the error in the program and in these pages.',
  ].join('\n');
  return formatted([head, ...tables]);
}

/** A page of Markdown, formatted as `npm run format` does it. */
async function formatted(parts) {
  const { code, errors } = await format('page.md', parts.join('\n\n'), { printWidth: 120 });
  if (errors.length > 0) throw new Error(`A generated page cannot be formatted: ${errors[0].message}`);
  return code;
}

/** The permission that each operation needs, as its route declares it. */
function permissionsPage() {
  const head = [
    '# Permissions',
    '',
    'Generated from the routes by `node scripts/generate.mjs`. With `rbac.enable`, an operation needs the permission named here;',
    'docs/roles.md says how roles give it. Administrators (roles `system_admin` and `admin`) need none, and the role `observer` has',
    'every permission whose name ends in `_view`, `_list` or `_search`. Tests (`route-permissions.test.ts` in `services/api`, `auth` and',
    '`stream`) send a request for each operation as each kind of user, and fail for an operation that is missing in their tables.',
    '',
    '- **the resource**: the permission must be granted on the resource that the request names, or on its pack. Executions follow',
    '  their action, rule enforcements their rule, inquiries the action of the workflow around them. The answer is the same 403',
    '  whether the resource exists or not.',
    '- **everything**: the permission is a global one. Lists contain only what the user may view.',
    '- **any user**: rule types and the version are the same for everybody; `/user` and role assignments concern the user alone; the',
    '  inspection of a workflow reads what is sent, and checks actions that the user may view or execute; tokens are checked by who has them,',
    '  and listed and revoked by their user or an administrator; lists of the datastore have the items of the user, and those of the system that',
    '  the user may view.',
    '  With an [API key that is restricted](authentication.md#api-keys) only the version, `/user`, rule types and logging out are allowed, and',
    '  lists of the datastore with `key_value_pair_list`.',
    '- **administrators**: trigger types and triggers belong to no pack that could be granted; replayed events run the rules of others.',
  ].join('\n');
  const tables = Object.entries(routesByPrefix()).map(([prefix, routes]) => {
    const rows = routes.map(
      (route) => `| \`${route.method} ${prefix}${route.path}\` | ${permissionCell(route)} | ${placeCell(route)} |`,
    );
    return [`## ${prefix}`, '', '| operation | permission | on |', '| --- | --- | --- |', ...rows].join('\n');
  });
  return formatted([head, ...tables]);
}

const WITHOUT_PERMISSION = [ANY_USER, ADMINISTRATORS];

function permissionCell({ open, admit, permission }) {
  if (open) return admit ? 'none (own credentials)' : 'none (no credentials either)';
  return WITHOUT_PERMISSION.includes(permission) ? permission : cell(permission);
}

function placeCell({ open, permission, resource, checksPermission }) {
  if (open || WITHOUT_PERMISSION.includes(permission)) return '';
  return resource || checksPermission ? 'the resource' : 'everything';
}

const cell = (text) => `\`${text.replaceAll('|', '\\|')}\``;

const files = {
  'docs/openapi.json': openApi,
  'docs/errors.md': errorsPage,
  'docs/permissions.md': permissionsPage,
  'deploy/svc.conf.sample': sampleConfig,
  ...Object.fromEntries(Object.entries(catalogueFiles()).map(([path, text]) => [`apps/console/${path}`, () => text])),
};

const check = process.argv.includes('--check');
for (const [path, make] of Object.entries(files)) {
  const text = await make();
  const present = readFileSync(root + path, { encoding: 'utf8', flag: 'a+' });
  if (present === text) continue;
  if (check) {
    console.error(`${path} is stale: run "node scripts/generate.mjs".`);
    process.exitCode = 1;
  } else {
    writeFileSync(root + path, text);
    console.log(`${path} is written.`);
  }
}
