import type { ErrorEntry } from './catalogue';

/** What keeps a command from being run on another host. Texts that clients know follow the interface sheets. */
export const sshErrors = {
  'ssh.cmd-entry-point': { status: 400, template: 'entry_point is only valid for remote-shell-script runner' },
  'ssh.no-hosts': { status: 400, template: 'No hosts specified to run action for action {id}.' },
  'ssh.host': { status: 400, template: '"{host}" in hosts is neither a host nor host:port.' },
  'ssh.none-reached': { status: 400, template: 'Unable to connect to any one of the hosts: {hosts}. {reasons}' },
  'ssh.environment-name': { status: 400, template: '"{name}" in env is not the name of an environment variable.' },
  'ssh.null-byte': { status: 400, template: 'A command for a shell cannot contain a null character.' },
  'ssh.key-file': { status: 400, template: 'The private key could not be read from its file: {reason}' },
  'ssh.key': { status: 400, template: 'The private key cannot be used: {reason}' },
  'ssh.no-credentials': {
    status: 400,
    template: 'There is neither a password nor a readable private key for the connection (looked for {files}).',
  },
  'ssh.config': { status: 400, template: 'The configuration of ssh in {file} cannot be followed: {reason}' },
  'ssh.known-hosts': { status: 500, template: 'The known hosts in {file} could not be read: {reason}' },
  'ssh.connect': { status: 500, template: 'Could not connect to {host} port {port} as {user}: {reason}' },
  'ssh.channel': { status: 500, template: 'The connection to {host} port {port} could not be used: {reason}' },
  'ssh.connection-lost': {
    status: 500,
    template: 'The connection was lost while the command was running; the host ends it when it notices.',
  },
  'ssh.not-started': { status: 400, template: 'The command was canceled before it was started.' },
  'ssh.upload': { status: 500, template: 'The script could not be copied to the host: {reason}' },
  'ssh.upload-timeout': { status: 500, template: 'Copying the script to the host took longer than {seconds} seconds.' },
  'ssh.remote-directory': { status: 400, template: 'The directory "{directory}" in dir is not absolute.' },
  'ssh.script-file': {
    status: 400,
    template: 'The script "{entryPoint}" of the action "{ref}" could not be read: {reason}',
  },
  'ssh.host-key-changed': {
    status: 500,
    template:
      'The host key of {host} has changed: it shows {kind} {fingerprint}, which is not among the keys known for it. Somebody may be in between. If the host has a new key, remove the old one from {file} (or from the known hosts of the user or the machine).',
  },
  'ssh.host-key-revoked': {
    status: 500,
    template: 'The host key of {host}, {kind} {fingerprint}, is marked as revoked in the known hosts.',
  },
  'ssh.host-key-unknown': {
    status: 500,
    template:
      'The host key of {host}, {kind} {fingerprint}, is not known. Add it to {file}, or let ssh_runner.host_key_checking accept new keys.',
  },
} as const satisfies Record<string, ErrorEntry>;
