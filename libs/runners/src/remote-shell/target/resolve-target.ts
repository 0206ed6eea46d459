import { fault } from '@switchyard/base';
import { hostAndPort, type RemoteHost } from './remote-hosts';
import { keyProof, type Proof, type SshTarget } from './ssh-target';
import { sshConfigEntry, type SshConfigEntry } from './ssh-config';

/** The connection parameters of an action. */
export interface Access {
  readonly username?: string;
  readonly password?: string;
  /** The text of a key, or the path of a file that the service can read. */
  readonly privateKey?: string;
  readonly passphrase?: string;
  readonly port?: number;
  readonly bastionHost?: string;
}

/** The connection settings of the installation. */
export interface AccessDefaults {
  readonly user: string;
  readonly keyFile: string;
  /** Absent when the ssh configuration is ignored. */
  readonly sshConfigFile?: string;
}

const SSH_PORT = 22;

/**
 * Resolves the address, route and credentials of a host. The action's parameters come first, then the ssh configuration, then
 * the installation's settings. @throws Fault `ssh.…`
 */
export async function resolveTarget(
  { host, port }: Pick<RemoteHost, 'host' | 'port'>,
  access: Access,
  defaults: AccessDefaults,
): Promise<SshTarget> {
  const entry = await entryOf(host, defaults);
  const via = await gateway(entry, access, defaults);
  return {
    host: entry?.hostName ?? host,
    port: port ?? access.port ?? entry?.port ?? SSH_PORT,
    user: access.username ?? entry?.user ?? defaults.user,
    proofs: await proofsOf(access, entry, defaults),
    ...(via !== undefined && { via }),
  };
}

const entryOf = async (host: string, { sshConfigFile }: AccessDefaults): Promise<SshConfigEntry | undefined> =>
  sshConfigFile === undefined ? undefined : sshConfigEntry(sshConfigFile, host);

/** The action's bastion with the same credentials, or else the jump hosts of the ssh configuration, each with its own entry. */
async function gateway(
  entry: SshConfigEntry | undefined,
  access: Access,
  defaults: AccessDefaults,
): Promise<SshTarget | undefined> {
  const { bastionHost, port: _ofTheHost, ...credentials } = access;
  if (bastionHost !== undefined) {
    const address = hostAndPort(bastionHost);
    const own = await entryOf(address.host, defaults);
    return {
      host: own?.hostName ?? address.host,
      port: address.port ?? own?.port ?? SSH_PORT,
      user: access.username ?? own?.user ?? defaults.user,
      proofs: await proofsOf(access, own ?? entry, defaults),
    };
  }
  let via: SshTarget | undefined;
  for (const jump of entry?.jumps ?? []) via = await jumpTarget(jump, credentials, defaults, via);
  return via;
}

async function jumpTarget(
  jump: string,
  access: Access,
  defaults: AccessDefaults,
  via: SshTarget | undefined,
): Promise<SshTarget> {
  const [, user, address = ''] = /^(?:ssh:\/\/)?(?:([^@]+)@)?(.+)$/.exec(jump) ?? [];
  const { host, port } = hostAndPort(address);
  const entry = await entryOf(host, defaults);
  return {
    host: entry?.hostName ?? host,
    port: port ?? entry?.port ?? SSH_PORT,
    user: user ?? entry?.user ?? access.username ?? defaults.user,
    proofs: await proofsOf(access, entry, defaults),
    ...(via !== undefined && { via }),
  };
}

/** A password takes precedence over keys. @throws Fault `ssh.key-file`, `ssh.no-credentials` */
async function proofsOf(
  { password, privateKey, passphrase }: Access,
  entry: SshConfigEntry | undefined,
  { keyFile }: AccessDefaults,
): Promise<Proof[]> {
  if (password !== undefined) return [{ kind: 'password', password }];
  if (privateKey !== undefined) return [await keyProof(privateKey, passphrase)];
  const files = entry?.identityFiles.length ? entry.identityFiles : [keyFile];
  const read = await Promise.allSettled(files.map((file) => keyProof(file, passphrase)));
  const proofs = read.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (proofs.length === 0) throw fault('ssh.no-credentials', { files: files.join(', ') });
  return proofs;
}
