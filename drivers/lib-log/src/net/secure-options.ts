import type { ConnectionOptions } from 'node:tls';
import { type LogOptions, parseBoolean, readOptionFile } from '../options/values.js';

/** The names of a driver's TLS options; a driver need not have all. */
export interface SecureOptionNames {
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly skipVerify?: string;
  readonly serverName?: string;
}

/** Reads what TLS options name. @throws EngineError `invalid-argument` naming the option and the file. */
export async function secureOptions(options: LogOptions, names: SecureOptionNames): Promise<ConnectionOptions> {
  const file = async (name: string | undefined): Promise<Buffer | undefined> => {
    const path = name === undefined ? undefined : options[name];
    return name === undefined || !path ? undefined : readOptionFile(name, path);
  };
  const [ca, cert, key] = await Promise.all([file(names.authority), file(names.certificate), file(names.key)]);
  const skip = names.skipVerify === undefined ? undefined : options[names.skipVerify];
  const servername = names.serverName === undefined ? undefined : options[names.serverName];
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(servername && { servername }),
    ...(skip && names.skipVerify && { rejectUnauthorized: !parseBoolean(names.skipVerify, skip) }),
  };
}
