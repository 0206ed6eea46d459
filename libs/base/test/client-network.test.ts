import { clientNetwork } from '@switchyard/base';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['', ''],
  ['localhost', 'localhost'],
])('clientNetwork counts %j as the client %j', (address, client) => expect(clientNetwork(address)).toBe(client));
