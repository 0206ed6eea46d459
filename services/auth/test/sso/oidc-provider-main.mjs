// An OpenID Connect provider with one client, in memory. Writes its address to the standard output.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [clientId, clientSecret, redirectUri] = process.argv.slice(2);
const groups = { ada: ['ops', 'dev'] };

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: `id-of-${id}`.slice(6), preferred_username: id, groups: groups[id] ?? [] }),
    }),
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
// The parent is gone.
process.stdin.resume().on('end', () => process.exit());
