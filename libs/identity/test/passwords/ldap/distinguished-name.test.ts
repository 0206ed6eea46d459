import { comparableDn } from '../../../src/passwords/ldap/distinguished-name';

describe('a DN', () => {
  it.each([
    ['cn=a,dc=b', 'CN=A, DC=B'],
    ['cn=a,dc=b', ' cn = a ;dc= b '],
    ['cn=a b,dc=c', 'cn=a  b,dc=c'],
    ['cn=a\\,b,dc=c', 'cn=a\\2cb,dc=c'],
    ['cn=Ž,dc=c', 'cn=\\c5\\bd,dc=c'],
    ['cn=a+ou=b,dc=c', 'ou=b + cn=a,dc=c'],
    ['cn=a=b', 'cn=a\\3db'],
    ['cn=a\\ ,dc=b', 'cn=a\\20,dc=b'],
    ['cn=\\#a', 'cn=\\23a'],
  ])('%s is the same as %s', (one, other) => {
    expect(comparableDn(one)).toBe(comparableDn(other));
  });

  it.each([
    ['cn=a,dc=b', 'cn=a,dc=c'],
    ['cn=a,dc=b', 'dc=b,cn=a'],
    ['cn=a,dc=b', 'cn=a\\,dc=b'],
    ['cn=a,dc=b', 'cn=a'],
    ['cn=a\\ ,dc=b', 'cn=a,dc=b'],
    ['cn=a+ou=b', 'cn=a,ou=b'],
  ])('%s is not %s', (one, other) => {
    expect(comparableDn(one)).not.toBe(comparableDn(other));
  });
});
