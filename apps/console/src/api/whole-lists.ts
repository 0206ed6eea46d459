import pMap from 'p-map';

/** How many pages are read at the same time. */
const AT_ONCE = 4;

/**
 * Sends a request. A list that is asked for as a whole (`limit=-1`) is read in pages of the size that the API chooses: only
 * administrators may get all items at once.
 */
export async function fetchWholeLists(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.searchParams.get('limit') !== '-1') return fetch(request);
  url.searchParams.delete('limit');
  const pageFrom = (offset: number) => {
    url.searchParams.set('offset', String(offset));
    return fetch(new Request(url, request));
  };
  const first = await pageFrom(0);
  const size = Number(first.headers.get('x-limit') ?? 0);
  const total = Number(first.headers.get('x-total-count') ?? 0);
  if (!first.ok || size < 1 || total <= size) return first;
  const offsets = Array.from({ length: Math.ceil(total / size) - 1 }, (_, index) => (index + 1) * size);
  const others = await pMap(offsets, pageFrom, { concurrency: AT_ONCE });
  const failed = others.find(({ ok }) => !ok);
  if (failed) return failed;
  const pages = await Promise.all([first, ...others].map((response) => response.json() as Promise<unknown[]>));
  return new Response(JSON.stringify(pages.flat()), { headers: first.headers });
}
