import type { Route } from './route';

/** What a service says about itself on its root. */
export interface About {
  readonly version: string;
  readonly docsUrl: string;
}

/** `GET /`: version and where to read on. Needs credentials like any other path. */
export const indexRoute = ({ version, docsUrl }: About): Route => ({
  method: 'GET',
  path: '/',
  operation: 'root.get',
  summary: 'Version of the service',
  handle: () => ({ status: 200, body: { version, docs_url: docsUrl } }),
});
