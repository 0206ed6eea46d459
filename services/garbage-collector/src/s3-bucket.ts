import { createHash } from 'node:crypto';
import { fault, messageOf, MINUTE_MS } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { AwsClient } from 'aws4fetch';

type S3Options = Pick<
  Config['garbagecollector'],
  | 'archive_s3_endpoint'
  | 'archive_s3_region'
  | 'archive_s3_path_style'
  | 'archive_s3_access_key_id'
  | 'archive_s3_secret_access_key'
  | 'archive_s3_session_token'
>;

/** The part of `s3://BUCKET/PREFIX` after the scheme. */
export interface S3Address {
  readonly bucket: string;
  /** Without a slash at either end; may be empty. */
  readonly prefix: string;
}

/** A folder in a bucket of an S3-compatible store. */
export interface S3Bucket {
  /**
   * Stores an object, in place of one with the same key. The server has it when this resolves.
   * @throws Error that names the object and what the server answered
   */
  put(key: string, content: string): Promise<void>;
}

/** Variables that programs for S3 read. They apply if the options are not set. */
export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** @returns undefined for the path of a directory */
export function s3AddressOf(path: string): S3Address | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replace(/\/+$/, '') };
}

/** @throws Fault `config.conflict` if there are no credentials */
export function createS3Bucket(address: S3Address, options: S3Options, environment: AwsEnvironment): S3Bucket {
  const client = new AwsClient({
    ...credentialsOf(options, environment),
    service: 's3',
    region: options.archive_s3_region,
    retries: RETRIES,
  });
  return {
    async put(key, content) {
      const path = address.prefix === '' ? key : `${address.prefix}/${key}`;
      const failed = (text: string, cause?: unknown) =>
        new Error(`Could not store s3://${address.bucket}/${path}: ${text}.`, { cause });
      const response = await client
        .fetch(objectUrl(address, path, options), {
          method: 'PUT',
          body: content,
          headers: {
            'Content-Type': 'application/x-ndjson',
            // The server compares it with what it has received.
            'X-Amz-Content-Sha256': createHash('sha256').update(content).digest('hex'),
          },
          // A redirect would lead to another region, for which the signature is not valid.
          redirect: 'manual',
          signal: AbortSignal.timeout(LONGEST_UPLOAD_MS),
        })
        .catch((error: unknown) => {
          throw failed(reasonOf(error), error);
        });
      const answer = await response.text().catch(() => '');
      if (!response.ok) throw failed(`the server returned ${response.status}${codeIn(answer)}`);
    },
  };
}

/** Further attempts after a 5xx or 429, with growing delays. Later attempts belong to the next search for old records. */
const RETRIES = 3;
const LONGEST_UPLOAD_MS = 2 * MINUTE_MS;

function credentialsOf(options: S3Options, environment: AwsEnvironment) {
  const {
    archive_s3_access_key_id: keyId,
    archive_s3_secret_access_key: secret,
    archive_s3_session_token: token,
  } = options;
  const [accessKeyId, secretAccessKey, sessionToken] =
    keyId === null
      ? [environment['AWS_ACCESS_KEY_ID'], environment['AWS_SECRET_ACCESS_KEY'], environment['AWS_SESSION_TOKEN']]
      : [keyId, secret, token];
  if (!accessKeyId || !secretAccessKey) throw fault('config.conflict', { text: NO_CREDENTIALS });
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

const NO_CREDENTIALS =
  'an S3 address in garbagecollector.archive_path needs archive_s3_access_key_id and archive_s3_secret_access_key, or the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

/** The URL of an object, with the bucket in the path or in the host name. */
export function objectUrl(
  { bucket }: S3Address,
  key: string,
  {
    archive_s3_endpoint: endpoint,
    archive_s3_region: region,
    archive_s3_path_style: inPath,
  }: Pick<S3Options, 'archive_s3_endpoint' | 'archive_s3_region' | 'archive_s3_path_style'>,
): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const isInPath = inPath ?? endpoint !== null;
  if (!isInPath) url.hostname = `${bucket}.${url.hostname}`;
  const segments = [...(isInPath ? [bucket] : []), ...key.split('/')].map(encodeURIComponent);
  url.pathname = [url.pathname.replace(/\/+$/, ''), ...segments].join('/');
  return url.href;
}

/** Failed requests say why in `cause`. */
const reasonOf = (error: unknown): string =>
  messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);

/** The code of an error, such as `SignatureDoesNotMatch`. */
function codeIn(answer: string): string {
  const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(answer) ?? [];
  return code === undefined ? '' : ` (${code})`;
}
