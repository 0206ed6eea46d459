import * as ipaddr from 'ipaddr.js';

/**
 * What counts as one client in limits by address: an IPv4 address, even if it is written as an IPv6 address, or the first 64 bits
 * of an IPv6 address, because a client can choose the rest. Other texts are returned unchanged.
 */
export function clientNetwork(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (!('parts' in parsed)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
