import { readFile } from 'node:fs/promises';
import { messageOf, unavailable } from '../../errors/engine-error.js';

/** Files in PEM form. */
export interface TlsFiles {
  /** A client without a certificate signed by it is refused. Left out by surfaces that know their clients otherwise. */
  readonly ca?: string;
  readonly cert: string;
  readonly key: string;
  /** The oldest version of TLS that is spoken; default 1.2. */
  readonly minVersion?: '1.2' | '1.3';
}

/** Where a server listens. */
export type Endpoint =
  | {
      readonly kind: 'unix';
      readonly path: string;
      /** Permission bits. Default 0o660. */
      readonly mode?: number;
      /** Name or number of the group that owns the socket. */
      readonly group?: string | number;
    }
  | {
      readonly kind: 'tcp';
      readonly host: string;
      /** 0 takes a free port; see `EngineServer.address`. */
      readonly port: number;
      readonly tls?: TlsFiles;
      /** Says that anyone who reaches the port may become root here. Needed without `tls`. */
      readonly insecure?: boolean;
    }
  /** A socket that listens already, such as systemd hands over. */
  | { readonly kind: 'fd'; readonly fd: number };

/** Nowhere: only this process connects, by `EngineServer.connect`. */
export interface LocalEndpoint {
  readonly kind: 'process';
}

/** systemd passes its sockets from this descriptor on. */
const firstInherited = 3;

/** The listening sockets systemd handed to this very process, by socket activation; none without it. */
export function inheritedEndpoints(environment: NodeJS.ProcessEnv, pid: number): Endpoint[] {
  if (Number(environment.LISTEN_PID) !== pid) return [];
  const count = Number(environment.LISTEN_FDS);
  return Number.isSafeInteger(count) && count > 0
    ? Array.from({ length: count }, (_, index) => ({ kind: 'fd', fd: firstInherited + index }) as const)
    : [];
}

/** Reads the files. @throws EngineError `unavailable` naming the option and the file. */
export async function readTls(files: TlsFiles) {
  const read = (option: 'ca' | 'cert' | 'key', file: string) =>
    readFile(file).catch((cause) => {
      throw unavailable(`tls.${option}: cannot read ${file}: ${messageOf(cause)}`, { cause });
    });
  // One after the other: of several that cannot be read, the error always names the same.
  const ca = files.ca === undefined ? undefined : await read('ca', files.ca);
  const cert = await read('cert', files.cert);
  const key = await read('key', files.key);
  const own = { cert, key, minVersion: `TLSv${files.minVersion ?? '1.2'}` } as const;
  return ca === undefined ? own : ({ ...own, ca, requestCert: true, rejectUnauthorized: true } as const);
}
