import { readFile } from 'node:fs/promises';
import os from 'node:os';
import type { Config } from '@switchyard/config';
import { fault, messageOf, SECOND_MS } from '@switchyard/base';
import { maskAddresses } from '@switchyard/model';
import mongoose, { mongo, type Connection, type ConnectOptions } from 'mongoose';
import { failOnClosingConnections } from './closing-connections';

/** The part of the configuration with the address and settings of MongoDB. */
export type DatabaseOptions = Config['database'];

/**
 * Connects to MongoDB. Writes are acknowledged by a majority, so that a failover loses none.
 * @throws Fault `config.conflict` for options that cannot be used, else the error of the driver
 */
export async function connectMongo(options: DatabaseOptions): Promise<Connection> {
  failOnClosingConnections();
  const client = await newClient(options);
  Object.assign(client.options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_MS });
  // mongoose adds listeners for each of its models.
  client.setMaxListeners(0);
  await client.connect();
  return mongoose.createConnection().setClient(client);
}

/** Checks the address, the combination of options and the files, without a connection. @throws Fault `config.conflict` */
export async function checkDatabase(options: DatabaseOptions): Promise<void> {
  await newClient(options);
}

async function newClient(options: DatabaseOptions): Promise<mongo.MongoClient> {
  const { host, port } = options;
  const url = /^mongodb(\+srv)?:\/\//.test(host) ? host : `mongodb://${host}:${port}`;
  try {
    return new mongo.MongoClient(url, await clientSettings(options));
  } catch (cause) {
    throw fault(
      'config.conflict',
      { text: `[database] cannot be used: ${maskAddresses(messageOf(cause))}` },
      { cause },
    );
  }
}

async function clientSettings(options: DatabaseOptions): Promise<ConnectOptions> {
  return {
    dbName: options.db_name,
    serverSelectionTimeoutMS: options.connection_timeout,
    heartbeatFrequencyMS: LOOK_MS,
    connectTimeoutMS: SILENCE_MS,
    writeConcern: { w: 'majority' },
    // The driver's own import of this module fails silently under other module loaders, such as Jest's.
    runtimeAdapters: { os },
    ...loginSettings(options),
    ...compressionSettings(options),
    ...(usesTls(options) ? await tlsSettings(options) : {}),
  };
}

/**
 * The driver asks the server this often whether it is there. If it does not respond for that long, although its connections are open, they are all
 * closed, and so calls that wait for it fail. By default, that would take 40 s. Calls themselves may take as long as they need.
 */
const LOOK_MS = 2 * SECOND_MS;
const SILENCE_MS = 4 * SECOND_MS;

/**
 * How often the driver checks for connections that have to be replaced. Its default of 100 ms costs an idle process as
 * much CPU time as everything else. It is not a public option: a version of the driver without it uses the default.
 */
const POOL_CHECK_MS = 10 * SECOND_MS;

function loginSettings({ username, password, authentication_mechanism: authMechanism }: DatabaseOptions) {
  return {
    ...(username !== null && password !== null ? { auth: { username, password } } : {}),
    ...(authMechanism === null ? {} : { authMechanism }),
  };
}

/** A level of -1 is zlib's default, which the driver uses when no level is given. */
function compressionSettings({ compressors, zlib_compression_level: level }: DatabaseOptions) {
  if (compressors !== 'zlib') return {};
  return { compressors: [compressors], ...(level === null || level < 0 ? {} : { zlibCompressionLevel: level }) };
}

/** A configured certificate implies TLS. */
function usesTls(options: DatabaseOptions): boolean {
  const files = [options.tls_ca_file, options.tls_certificate_key_file, options.ssl_certfile, options.ssl_keyfile];
  return options.tls || files.some((file) => file !== null) || options.authentication_mechanism === 'MONGODB-X509';
}

/** Deprecated options apply if their successors are not set. */
async function tlsSettings(options: DatabaseOptions): Promise<ConnectOptions> {
  const { ssl_cert_reqs: requirement, ssl_match_hostname: matches } = options;
  const allowCertificates =
    options.tls_allow_invalid_certificates ?? (requirement === null ? null : requirement === 'none');
  const allowHostnames = options.tls_allow_invalid_hostnames ?? (matches === null ? null : !matches);
  return {
    tls: true,
    ...given('tlsCAFile', options.tls_ca_file),
    ...(await clientCertificate(options)),
    ...given('tlsAllowInvalidCertificates', allowCertificates),
    ...given('tlsAllowInvalidHostnames', allowHostnames),
  };
}

async function clientCertificate(options: DatabaseOptions): Promise<ConnectOptions> {
  const password = options.tls_certificate_key_file_password;
  if (options.tls_certificate_key_file !== null) {
    return {
      tlsCertificateKeyFile: options.tls_certificate_key_file,
      ...given('tlsCertificateKeyFilePassword', password),
    };
  }
  const read = async (file: string | null) => (file === null ? null : await readFile(file));
  return {
    ...given('cert', await read(options.ssl_certfile)),
    ...given('key', await read(options.ssl_keyfile)),
    ...given('passphrase', password),
  };
}

const given = (name: keyof ConnectOptions, value: unknown): ConnectOptions => (value === null ? {} : { [name]: value });
