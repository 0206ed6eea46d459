// A SAML provider in memory, on samlp. Writes its address to the standard output. Its certificates are made by openssl.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import samlp from 'samlp';

function newKey() {
  const directory = mkdtempSync(join(tmpdir(), 'saml-'));
  const [key, cert] = ['key', 'cert'].map((name) => join(directory, name));
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=idp'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(directory, { recursive: true });
  return made;
}

let own = newKey();
const foreign = newKey();
let issuer = '';

/** Claims as attributes with their own names. */
const profileMapper = (user) => ({
  getClaims: () => user.attributes,
  getNameIdentifier: () => ({ nameIdentifier: user.id }),
});

const parsed = (query) =>
  new Promise((resolve, reject) => {
    const request = { method: 'GET', query };
    samlp.parseRequest(request, {}, (error, data) => (error ? reject(error) : resolve(data)));
  });

const later = (seconds, act) => {
  const { now } = Date;
  Date.now = () => now() + seconds * 1000;
  try {
    return act();
  } finally {
    Date.now = now;
  }
};

/** A response that reports a failure, without an assertion. */
function failure(options, error) {
  let page = '';
  const getPostURL = (_request, callback) => callback(null, options.destination);
  samlp.sendError({ ...options, error, getPostURL })({}, { set: () => undefined, send: (sent) => (page = sent) });
  return /name="SAMLResponse"\s+value="([^"]+)"/.exec(page)[1];
}

async function response(query, { attributes, foreignKey, clockSeconds = 0, error, ...deviation }) {
  const { id, issuer: audience, assertionConsumerServiceURL: acs } = await parsed(query);
  const user = { id: 'ada', attributes: attributes ?? { Username: 'ada', Email: 'ada@example.org' } };
  const options = {
    ...(foreignKey ? { key: foreign.key, cert: foreign.cert } : own),
    issuer,
    audience,
    destination: acs,
    recipient: acs,
    inResponseTo: id,
    profileMapper,
    signResponse: true,
    signatureAlgorithm: 'rsa-sha256',
    digestAlgorithm: 'sha256',
    lifetimeInSeconds: 60,
    nameIdentifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    ...deviation,
  };
  if (error) return { SAMLResponse: failure(options, error), RelayState: query.RelayState };
  const xml = await new Promise((resolve, reject) => {
    later(clockSeconds, () =>
      samlp.getSamlResponse(options, user, (failed, made) => (failed ? reject(failed) : resolve(made))),
    );
  });
  return { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: query.RelayState };
}

function metadata() {
  let text = '';
  const request = { headers: { host: new URL(issuer).host }, protocol: 'http', originalUrl: '/metadata' };
  const options = { issuer, cert: own.cert, redirectEndpointPath: '/login', postEndpointPath: '/login' };
  samlp.metadata(options)(request, { set: () => undefined, send: (sent) => (text = sent) });
  return text;
}

async function answer({ url }, body) {
  const { pathname, searchParams } = new URL(url, issuer);
  if (pathname === '/metadata') return metadata();
  if (pathname === '/rotate') own = newKey();
  if (pathname === '/login') return JSON.stringify(await response(Object.fromEntries(searchParams), JSON.parse(body)));
  return 'done';
}

const server = createServer((request, answered) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    answer(request, Buffer.concat(parts).toString()).then(
      (text) => answered.end(text),
      (error) => answered.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  issuer = `http://127.0.0.1:${server.address().port}`;
  console.log(issuer);
});
// The parent is gone.
process.stdin.resume().on('end', () => process.exit());
