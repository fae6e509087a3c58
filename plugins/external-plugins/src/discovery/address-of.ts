import { readFile } from 'node:fs/promises';
import { invalidArgument } from '@gantry/core/errors';
import type { PluginAddress } from '@gantry/lib-plugin-protocol';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** A file with the address of a plugin. */
export interface FoundPlugin {
  /** The file's name without its extension. */
  readonly name: string;
  readonly file: string;
  readonly kind: 'sock' | 'spec' | 'json';
  /** Changes when a plugin makes its socket anew, as one that restarts does. Undefined for files with an address. */
  readonly socket?: string;
}

const description = Type.Object({
  Name: Type.Optional(Type.String()),
  Addr: Type.String(),
  TLSConfig: Type.Optional(
    Type.Object({
      InsecureSkipVerify: Type.Optional(Type.Boolean()),
      CAFile: Type.Optional(Type.String()),
      CertFile: Type.Optional(Type.String()),
      KeyFile: Type.Optional(Type.String()),
    }),
  ),
});

/** The plugin's address. Rejects `invalid-argument` naming the file. */
export async function addressOf({ file, kind }: FoundPlugin): Promise<PluginAddress> {
  if (kind === 'sock') return { socketPath: file };
  const text = (await readFile(file, 'utf8')).trim();
  if (kind === 'spec') return parseAddress(text, file);
  const parsed = parseDescription(text, file);
  const address = parseAddress(parsed.Addr, file);
  const { TLSConfig } = parsed;
  if (TLSConfig === undefined || 'socketPath' in address) return address;
  const [ca, cert, key] = await Promise.all([TLSConfig.CAFile, TLSConfig.CertFile, TLSConfig.KeyFile].map(pem));
  return {
    ...address,
    tls: {
      insecureSkipVerify: TLSConfig.InsecureSkipVerify ?? false,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    },
  };
}

function parseDescription(text: string, file: string) {
  try {
    return Value.Parse(description, JSON.parse(text));
  } catch (cause) {
    throw invalidArgument(`${file} does not describe a plugin: it needs at least {"Addr": ...}`, { cause });
  }
}

function parseAddress(text: string, file: string): PluginAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'unix:' && url.pathname.startsWith('/')) return { socketPath: url.pathname };
  if (url !== undefined && ['tcp:', 'http:', 'https:'].includes(url.protocol) && url.hostname !== '') {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isSecure = url.protocol === 'https:';
    const port = Number(url.port || (isSecure ? 443 : 80));
    return { host, port, ...(isSecure && { tls: { insecureSkipVerify: false } }) };
  }
  throw invalidArgument(`${file}: "${text}" is no address such as unix:///run/x.sock or tcp://host:port`);
}

const pem = (file: string | undefined): Promise<string> | undefined =>
  file === undefined || file === '' ? undefined : readFile(file, 'utf8');
