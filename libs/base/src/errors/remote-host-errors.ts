import type { CatalogueEntry } from './catalogue';

/** Reasons why a command cannot run on another host, over SSH or WinRM. Texts that clients of StackStorm rely on are
 * the same as in StackStorm. */
export const remoteHostErrors = {
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
    template: 'No password and no readable private key for the connection (looked for {files}).',
  },
  'ssh.config': { status: 400, template: 'The SSH configuration in {file} cannot be used: {reason}' },
  'ssh.known-hosts': { status: 500, template: 'The known hosts in {file} could not be read: {reason}' },
  'ssh.connect': { status: 500, template: 'Could not connect to {host} port {port} as {user}: {reason}' },
  'ssh.channel': { status: 500, template: 'The connection to {host} port {port} failed: {reason}' },
  'ssh.connection-lost': {
    status: 500,
    template: 'The connection was lost while the command was running; the host will end the command when it notices.',
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
      'The host key of {host} has changed: it shows {kind} {fingerprint}, which is not among the keys known for it. This may be a man-in-the-middle attack. If the host has a new key, remove the old one from {file} (or from the known hosts of the user or the machine).',
  },
  'ssh.host-key-revoked': {
    status: 500,
    template: 'The host key of {host}, {kind} {fingerprint}, is marked as revoked in the known hosts.',
  },
  'ssh.host-key-unknown': {
    status: 500,
    template:
      'The host key of {host}, {kind} {fingerprint}, is not known. Add it to {file}, or set ssh_runner.host_key_checking to accept-new.',
  },
  'winrm.transport': {
    status: 400,
    template: 'The transport "{transport}" of WinRM cannot be used: {reason}. These work: {working}.',
  },
  'winrm.scheme': { status: 400, template: 'The scheme must be http or https, got "{scheme}".' },
  'winrm.plain-ssl': {
    status: 400,
    template: 'The transport "ssl" sends the password over an encrypted connection only, but the scheme is http.',
  },
  'winrm.host': { status: 400, template: '"{host}" is not a valid host name or address.' },
  'winrm.port': { status: 400, template: '{port} is not a valid port.' },
  'winrm.missing': { status: 400, template: 'The parameter "{name}" is needed to reach a host.' },
  'winrm.kwarg-op': { status: 400, template: '"{kwargOp}" is not a valid prefix for parameter names (kwarg_op).' },
  'winrm.parameter-name': { status: 400, template: '"{name}" is not a valid PowerShell parameter name.' },
  'winrm.character': {
    status: 400,
    template: 'A command for a Windows host cannot contain the character U+{code}, which XML does not allow.',
  },
  'winrm.script-file': {
    status: 400,
    template: 'The script "{entryPoint}" of the action "{ref}" could not be read: {reason}',
  },
  'winrm.unauthorized': {
    status: 401,
    template: 'The host {host} rejected the user "{username}" (transport {transport}). It offers: {offered}.',
  },
  'winrm.ntlm': { status: 502, template: '{host} sent an invalid NTLM message: {reason}.' },
  'winrm.not-sealed': {
    status: 502,
    template: 'The host {host} sent a response that is not encrypted or was tampered with.',
  },
  'winrm.proxy': { status: 502, template: 'The proxy {proxy} refused the connection to {host}: {reason}' },
  'winrm.http': {
    status: 502,
    template: 'The host {host} responded with HTTP status {status} instead of a WinRM response.',
  },
  'winrm.answer': { status: 502, template: '{host} sent an invalid WinRM response: {reason}.' },
  'winrm.refused': { status: 502, template: 'The host {host} refused to {step}: {reason}' },
  'winrm.upload': { status: 502, template: 'The script could not be copied to the host: {reason}' },
} as const satisfies Record<string, CatalogueEntry>;
