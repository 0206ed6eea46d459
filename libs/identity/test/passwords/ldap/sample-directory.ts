import type { SlapdOptions } from '@switchyard/testkit/slapd';

export const SUFFIX = 'dc=example,dc=org';
export const SERVICE = { bind_dn: `cn=service,${SUFFIX}`, bind_password: 'service-secret' };
export const groupDn = (name: string): string => `cn=${name},ou=groups,${SUFFIX}`;
const userDn = (name: string) => `uid=${name},ou=people,${SUFFIX}`;

/** A name with everything that is special in filters and in DNs. */
const ZOFIE = `cn=Žofie (x)\\, *,ou=people,${SUFFIX}`;

// LDIF needs Base64 for anything but ASCII.
const line = (name: string, value: string) =>
  /^[\x21-\x7e][\x20-\x7e]*$/.test(value) ? `${name}: ${value}` : `${name}:: ${Buffer.from(value).toString('base64')}`;

const entry = (dn: string, ...lines: string[]) => [line('dn', dn), ...lines, ''].join('\n');

const person = (dn: string, uid: string) =>
  entry(
    dn,
    'objectClass: inetOrgPerson',
    line('uid', uid),
    'cn: Person',
    'sn: Person',
    line('userPassword', `${uid}-secret`),
  );

const group = (name: string, attribute: 'member' | 'uniqueMember', ...members: string[]) =>
  entry(
    groupDn(name),
    `objectClass: ${attribute === 'member' ? 'groupOfNames' : 'groupOfUniqueNames'}`,
    ...members.map((member) => line(attribute, member)),
  );

const top = [
  entry(SUFFIX, 'objectClass: dcObject', 'objectClass: organization', 'o: Example', 'dc: example'),
  entry(
    SERVICE.bind_dn,
    'objectClass: organizationalRole',
    'objectClass: simpleSecurityObject',
    `userPassword: ${SERVICE.bind_password}`,
  ),
  entry(`ou=people,${SUFFIX}`, 'objectClass: organizationalUnit'),
  entry(`ou=groups,${SUFFIX}`, 'objectClass: organizationalUnit'),
];

/** Ada is an operator, and so part of the staff and the company; two groups contain each other. */
export const sampleLdif = [
  ...top,
  ...['ada', 'grace', 'linus', 'locked'].map((uid) => person(userDn(uid), uid)),
  person(`cn=First Twin,ou=people,${SUFFIX}`, 'twin'),
  person(`cn=Second Twin,ou=people,${SUFFIX}`, 'twin'),
  person(ZOFIE, 'žofie*(x)\\y'),
  entry(userDn('nopassword'), 'objectClass: inetOrgPerson', 'uid: nopassword', 'cn: x', 'sn: x'),
  group('operators', 'member', userDn('ada'), userDn('locked')),
  group('staff', 'member', groupDn('operators'), userDn('grace')),
  group('company', 'uniqueMember', groupDn('staff')),
  group('auditors', 'uniqueMember', userDn('ada'), ZOFIE),
  entry(groupDn('posix'), 'objectClass: posixGroup', 'gidNumber: 100', 'memberUid: grace'),
  group('hen', 'member', groupDn('egg'), userDn('linus')),
  group('egg', 'member', groupDn('hen')),
].join('\n');

/** Only the service account may read. Nobody sees passwords. */
export const samplePolicy = [
  'access to attrs=userPassword by anonymous auth by * none',
  `access to * by dn.exact="${SERVICE.bind_dn}" read by * none`,
];

export const sampleServer: SlapdOptions = { ldif: sampleLdif, suffix: SUFFIX, config: samplePolicy };

/** A server with people; the first server refers to it. */
export const secondServer: SlapdOptions = {
  ldif: [
    ...top,
    entry(`ou=elsewhere,${SUFFIX}`, 'objectClass: organizationalUnit'),
    person(`uid=hedy,ou=elsewhere,${SUFFIX}`, 'hedy'),
    entry(
      `cn=inventors,ou=elsewhere,${SUFFIX}`,
      'objectClass: groupOfNames',
      `member: uid=hedy,ou=elsewhere,${SUFFIX}`,
    ),
  ].join('\n'),
  suffix: SUFFIX,
  config: samplePolicy,
};

/** A server that refers to another one for a part of the directory. */
export const referringServer = (url: string | ((own: number) => string)): SlapdOptions => ({
  ...sampleServer,
  ldif: (port) =>
    [
      sampleLdif,
      entry(
        `ou=elsewhere,${SUFFIX}`,
        'objectClass: referral',
        'objectClass: extensibleObject',
        `ref: ${typeof url === 'string' ? url : url(port)}`,
      ),
    ].join('\n'),
});
