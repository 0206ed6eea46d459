// Which tests also run on servers. `npm test` runs all on the embedded drivers, `node scripts/test.mjs --side=NAME` those of a side.

/** The tests that run on both the embedded drivers and on servers. */
const both = [
  '^libs/storage/test/(repositories|rotation|ensure-indexes|migrations/store)',
  '^libs/(executions|host)/test/',
  '^libs/identity/test/(roles/|passwords/following-groups)',
  '^libs/assembly/test/roles',
  '^libs/content/test/registrar/stored',
  '^libs/telemetry/test/metrics/measured',
  '^services/[^/]*/test/',
];
/** Tests that need the servers. */
const servers = [
  '^libs/storage/test/servers/',
  '^libs/messaging/test/rabbitmq-bus',
  '^test/(conformance/http-scenarios|system/(backup|doctor|key-rotation|login-limit|lost-store|status))-on-servers',
];
/** Tests that create a large virtual environment, which only CI does. */
const large = ['^test/system/st2client'];

/** Tests of libraries that are close to the operating system, and so to the version of Node.js, and that need no server or Python. */
const libraries = [
  '^libs/(base|client|http|subprocess|telemetry)/test/',
  '^libs/runners/test/(?!python-script|remote-shell|winrm)',
  '^libs/storage/test/embedded/',
];

/** The patterns of each side, as `writeTestGroups` takes them. */
export const testSides = {
  // With some libraries, which are tested with each supported version of Node.js.
  'servers-and-libs': { only: anyOf(both, servers, large, libraries) },
  // Servers that somebody else runs.
  'given-servers': { only: anyOf(both, servers) },
};

function anyOf(...lists) {
  return new RegExp(lists.flat().join('|'));
}
