import { BlockList, isIP } from 'node:net';

/** Internet addresses and networks. */
export interface AddressList {
  /** @param address with or without port, zone and brackets; false for anything but an address */
  includes(address: string): boolean;
}

/** @param entries those that `isAddressEntry` rejects are left out */
export function addressList(entries: readonly string[]): AddressList {
  const list = new BlockList();
  for (const entry of entries) {
    const network = networkOf(entry);
    if (network) list.addSubnet(network.address, network.length, FAMILIES[network.version]);
  }
  return {
    includes(text) {
      const address = bareAddress(text) ?? '';
      const version = isIP(address) as 0 | 4 | 6;
      return version !== 0 && list.check(address, FAMILIES[version]);
    },
  };
}

/** Whether a text is an address such as `10.0.0.7`, or a network such as `10.1.0.0/16`. A prefix of 0, which would
 * match every address, is not allowed. */
export const isAddressEntry = (text: string): boolean => networkOf(text) !== undefined;

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;
const LONGEST_PREFIX = { 4: 32, 6: 128 } as const;

function networkOf(entry: string) {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(entry) ?? [];
  const version = isIP(address) as 0 | 4 | 6;
  if (version === 0) return undefined;
  const length = Number(prefix ?? LONGEST_PREFIX[version]);
  return length < 1 || length > LONGEST_PREFIX[version] ? undefined : { address, length, version };
}

/** An address without port, zone and brackets, and an IPv4 address in its own notation. */
export function bareAddress(text: string): string | undefined {
  const [, inBrackets, before] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text.trim()) ?? [];
  const bare = (inBrackets ?? before ?? text.trim()).replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(bare) === 0 ? undefined : bare;
}
