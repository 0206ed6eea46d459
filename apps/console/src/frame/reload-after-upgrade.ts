/** The time of the last reload of this tab, in ms. */
const STORAGE_KEY = 'switchyard.reloaded';
/** A file that is still missing after a reload is an error to show. */
const NOT_AGAIN_MS = 10_000;

/**
 * Reloads the console when one of its files cannot be loaded but the server can be reached: after an upgrade of the server, an
 * open tab asks for files of the old version. Without a server, the page shows the error and keeps what it has.
 */
export function reloadAfterUpgrade(): void {
  window.addEventListener('vite:preloadError', () => void reloadOnce());
}

async function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (Date.now() - last < NOT_AGAIN_MS || !(await isServerThere())) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}

/** The server answers with the page of the console only to those that accept one, and to them without a login. */
const isServerThere = (): Promise<boolean> =>
  fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } }).then(
    ({ ok }) => ok,
    () => false,
  );
