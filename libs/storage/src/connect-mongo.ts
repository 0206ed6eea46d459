import os from 'node:os';
import mongoose, { type Connection, type ConnectOptions } from 'mongoose';

/** The part of the configuration that says where MongoDB is. */
export interface MongoOptions {
  /** A host name, or a whole `mongodb://` address. */
  host: string;
  port: number;
  db_name: string;
  username: string | null;
  password: string | null;
  connection_timeout: number;
  tls: boolean;
  tls_ca_file: string | null;
  tls_certificate_key_file: string | null;
  tls_certificate_key_file_password: string | null;
  tls_allow_invalid_certificates: boolean | null;
  tls_allow_invalid_hostnames: boolean | null;
}

/** Connects to MongoDB. Writes are acknowledged by a majority, so that a fail-over loses none. */
export async function connectMongo(options: MongoOptions): Promise<Connection> {
  const { host, port, db_name: dbName, username, password } = options;
  const url = /^mongodb(\+srv)?:\/\//.test(host) ? host : `mongodb://${host}:${port}`;
  const tls = {
    tls: true,
    ...(options.tls_ca_file === null ? {} : { tlsCAFile: options.tls_ca_file }),
    ...(options.tls_certificate_key_file === null ? {} : { tlsCertificateKeyFile: options.tls_certificate_key_file }),
    ...(options.tls_certificate_key_file_password === null
      ? {}
      : { tlsCertificateKeyFilePassword: options.tls_certificate_key_file_password }),
    ...(options.tls_allow_invalid_certificates === null
      ? {}
      : { tlsAllowInvalidCertificates: options.tls_allow_invalid_certificates }),
    ...(options.tls_allow_invalid_hostnames === null
      ? {}
      : { tlsAllowInvalidHostnames: options.tls_allow_invalid_hostnames }),
  };
  const settings: ConnectOptions = {
    dbName,
    serverSelectionTimeoutMS: options.connection_timeout,
    writeConcern: { w: 'majority' },
    // By itself the driver imports it in a way that fails, silently, where modules are loaded by somebody else (Jest).
    runtimeAdapters: { os },
    ...(username !== null && password !== null ? { auth: { username, password } } : {}),
    ...(options.tls ? tls : {}),
  };
  return mongoose.createConnection(url, settings).asPromise();
}
