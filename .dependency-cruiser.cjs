const { readdirSync, readFileSync } = require('node:fs');

// The layers of docs/architecture.md as rules: a package imports lower layers only, through their entry points.
const LAYERS = [
  ['base', 'yaml'],
  ['model'],
  ['expressions', 'config'],
  ['workflow'],
  ['telemetry'],
  ['messaging', 'storage', 'subprocess'],
  ['datastore', 'identity', 'triggers'],
  ['content', 'workflow-runs'],
  ['executions'],
  ['http', 'runners', 'host', 'client'],
  ['assembly'],
];

/** What others may import of a package besides its index: the modules that its package.json exports by name. */
const entryPoints = ['libs', 'services', 'apps'].flatMap((group) =>
  readdirSync(group).flatMap((name) => {
    const { exports = {} } = JSON.parse(readFileSync(`${group}/${name}/package.json`, 'utf8'));
    return Object.keys(exports)
      .filter((each) => each !== '.')
      .map((each) => `^${group}/${name}/(src|dist)/${each.slice(2).replace('*', '[^/]+')}(/index)?\\.(ts|js|d\\.ts)$`);
  }),
);

const path = (names) => `^libs/(${names.join('|')})/`;

const layerRules = LAYERS.flatMap((names, layer) =>
  names.map((name) => {
    const forbidden = LAYERS.slice(layer)
      .flat()
      .filter((other) => other !== name);
    return {
      name: `layer-of-${name}`,
      comment: `libs/${name} may know only what lies below it.`,
      severity: 'error',
      from: { path: `^libs/${name}/src/` },
      to: { path: [...(forbidden.length ? [path(forbidden)] : []), '^(services|apps)/', '^libs/testkit/'] },
    };
  }),
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'services-are-separate',
      comment: 'Only all-in-one knows other services.',
      severity: 'error',
      from: { path: '^services/(?!all-in-one/)([^/]+)/src/' },
      to: { path: '^(services|apps)/', pathNot: '^services/$1/' },
    },
    {
      name: 'no-tests-in-sources',
      severity: 'error',
      from: { path: '^(libs/(?!testkit)|services|apps)[^/]*/?.*/src/' },
      to: { path: ['/test/', '^libs/testkit/'] },
    },
    {
      name: 'no-cycles',
      comment: 'The grammars of Jinja and YAQL are recursive, and so are the files that read and run them.',
      severity: 'error',
      from: { pathNot: ['node_modules', '^libs/expressions/src/(jinja|yaql)/'] },
      // Types may refer to each other: nothing of that is left when the program runs.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'entry-points-only',
      comment: 'Packages are imported by name, not by a path into them.',
      severity: 'error',
      from: { path: '^(libs|services|apps)/([^/]+)/' },
      to: {
        path: '^(libs|services|apps)/',
        pathNot: ['^$1/$2/', '^(libs|services|apps)/[^/]+/(src|dist)/index\\.(ts|js|d\\.ts)$', ...entryPoints],
      },
    },
    {
      name: 'declared-only',
      severity: 'error',
      // The root declares the packages of builds.
      from: { pathNot: '^apps/console/[^/]+\\.mjs$' },
      // The testkit declares its tests with the functions that Jest provides.
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '^node_modules/(@types/)?jest/' },
    },
    // The build of the console makes its virtual modules.
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '/test/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'import', 'node', 'types'] },
  },
};
