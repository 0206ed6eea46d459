import * as ipaddr from 'ipaddr.js';

/**
 * What counts as one client where something is limited by address: an IPv4 address, also when it is written as an IPv6 one, or the
 * first 64 bits of an IPv6 address, since a client has the rest of them at will. Any other text as it is.
 */
export function clientNetwork(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (!('parts' in parsed)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
