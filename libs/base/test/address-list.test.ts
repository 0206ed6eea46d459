import { addressList, bareAddress, isAddressEntry } from '@switchyard/base';

describe('a list of addresses', () => {
  const list = addressList(['10.0.0.7', '10.1.0.0/16', 'fd00:1::/32', '2001:db8::5']);

  it.each([
    ['10.0.0.7', true],
    ['10.0.0.7:4711', true],
    ['::ffff:10.0.0.7', true],
    ['10.1.255.1', true],
    ['[fd00:1:2::3]:80', true],
    ['2001:db8::5', true],
    ['10.0.0.8', false],
    ['::ffff:10.2.0.1', false],
    ['2001:db8::6', false],
    ['', false],
    ['unix socket', false],
  ])('includes the addresses and networks of its entries, in any notation: %s', (address, expected) => {
    expect(list.includes(address)).toBe(expected);
  });

  it.each([
    ['10.0.0.7', true],
    ['10.0.0.0/8', true],
    ['::1/128', true],
    ['0.0.0.0/0', false],
    ['10.0.0.0/33', false],
    ['10.0.0', false],
    ['example.org', false],
    ['', false],
  ])('accepts only single addresses and networks that do not include all addresses: %s', (entry, expected) => {
    expect(isAddressEntry(entry)).toBe(expected);
  });

  it('compares addresses without port, zone and brackets', () => {
    expect(['fe80::1%eth0', ' [::1]:80 ', '10.0.0.1:80', 'x'].map(bareAddress)).toEqual([
      'fe80::1',
      '::1',
      '10.0.0.1',
      undefined,
    ]);
  });
});
