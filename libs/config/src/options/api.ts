import { bool, choice, int, legacy, list, str } from '../option';
import { loggingFile } from './logging-file';

export const api = {
  host: str('127.0.0.1', 'Address to listen on.'),
  port: int(9101, 'Port to listen on; 0 for any free one.', { minimum: 0 }),
  allow_origin: list(
    ['http://127.0.0.1:3000'],
    'Origins that browsers may call from (api, auth and stream); * for any.',
  ),
  allowed_hosts: list(
    [],
    'Further host names by which clients reach api, auth and stream. Only looked at while auth.enable is off, and for logins with a default password; the addresses of this file and of this machine are always known.',
  ),
  max_page_size: int(100, 'Largest limit of a list for users who are not administrators.', { minimum: 1 }),
  mask_secrets: bool(true, 'Replace secret values in responses by asterisks.'),
  delete_content: bool(
    true,
    'Let DELETE remove a pack or a sensor from the store. If false, both answer 404 as in StackStorm; packs.unload and svc pack remove work either way.',
  ),
  auth_cookie_secure: bool(true, 'Send the cookie auth-token over TLS only.'),
  auth_cookie_same_site: choice(['strict', 'lax', 'none', 'unset'], 'lax', 'The SameSite attribute of that cookie.'),
  debug: legacy('the log level is set by the ungrouped option debug'),
  logging: loggingFile,
};
