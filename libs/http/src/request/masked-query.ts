const MASK = '********';
const SECRET = [
  'x-auth-token',
  'svc-api-key',
  'st2-api-key',
  'password',
  'auth_token',
  'token',
  'secret',
  'credentials',
  'svc_auth_token',
  'st2_auth_token',
];

/**
 * A query for the log. Values of secret parameters become eight asterisks.
 * @param more further names, from `log.mask_secrets_blacklist`
 */
export function queryMasker(
  more: readonly string[] = [],
): (query: Readonly<Record<string, string>>) => Record<string, string> {
  const secret = new Set([...SECRET, ...more].map((name) => name.toLowerCase()));
  return (query) =>
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, secret.has(name.toLowerCase()) ? MASK : value]),
    );
}
