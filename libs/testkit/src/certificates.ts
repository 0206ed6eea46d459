import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface KeyPair {
  /** PEM files. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for a test, which lasts for a day. */
export interface CertificateAuthority {
  /** PEM file of its own certificate. */
  readonly cert: string;
  /** Issues a certificate with this common name, for servers at 127.0.0.1 and clients. */
  issue(commonName: string): KeyPair;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];

/** Writes everything into a directory. Needs `openssl` 3. */
export function certificateAuthority(directory: string, name = 'test-ca'): CertificateAuthority {
  const own = filesOf(directory, name);
  makeCertificate(own, name, []);
  return {
    cert: own.cert,
    issue(commonName) {
      const files = filesOf(directory, commonName);
      const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'];
      makeCertificate(files, commonName, ['-CA', own.cert, '-CAkey', own.key, ...names]);
      return files;
    },
  };
}

const filesOf = (directory: string, name: string): KeyPair => ({
  cert: join(directory, `${name}.crt`),
  key: join(directory, `${name}.key`),
});

function makeCertificate({ cert, key }: KeyPair, name: string, further: readonly string[]): void {
  const files = ['-keyout', key, '-out', cert, '-subj', `/CN=${name}`];
  execFileSync('openssl', ['req', '-x509', ...CURVE, ...files, ...further], { stdio: 'pipe' });
}
