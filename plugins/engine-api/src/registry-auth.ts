import { isRecord } from '@gantry/core/driver';
/** The credentials that X-Registry-Auth and one entry of X-Registry-Config carry. */
export interface RegistryCredentials {
  readonly username?: string;
  readonly password?: string;
  /** Stands for an account; exchanged for access tokens. */
  readonly identityToken?: string;
  /** An access token, sent as it is. */
  readonly registryToken?: string;
}

/**
 * Decodes an X-Registry-Auth header: base64 of a JSON object, in either alphabet, padded or not. As clients send what
 * decodes to nothing, too, whatever cannot be decoded counts as no credentials. Spec: Registry credentials.
 */
export function decodeRegistryAuth(header: string | undefined): RegistryCredentials | undefined {
  const value = decodeObject(header);
  return value === undefined ? undefined : credentialsOf(value);
}

/** Decodes an X-Registry-Config header: credentials by the registry's host name, or by its address as older clients do. */
export function decodeRegistryConfig(header: string | undefined): ReadonlyMap<string, RegistryCredentials> {
  const found = new Map<string, RegistryCredentials>();
  for (const [address, value] of Object.entries(decodeObject(header) ?? {})) {
    const credentials = isRecord(value) ? credentialsOf(value) : undefined;
    if (credentials !== undefined) found.set(hostOf(address), credentials);
  }
  return found;
}

function decodeObject(header: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (header === undefined || header === '') return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when nothing in it could be presented to a registry. Keys match whatever their case. */
function credentialsOf(value: Readonly<Record<string, unknown>>): RegistryCredentials | undefined {
  const texts = new Map<string, string>();
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === 'string' && text !== '') texts.set(key.toLowerCase(), text);
  }
  const [username, password] = accountOf(texts);
  const identityToken = texts.get('identitytoken');
  const registryToken = texts.get('registrytoken');
  const credentials: RegistryCredentials = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(identityToken !== undefined && { identityToken }),
    ...(registryToken !== undefined && { registryToken }),
  };
  return Object.keys(credentials).length > 0 ? credentials : undefined;
}

/** Some clients send `auth`, base64 of `username:password`, instead. */
function accountOf(texts: ReadonlyMap<string, string>): readonly [string | undefined, string | undefined] {
  const auth = texts.get('auth');
  if (texts.has('username') || auth === undefined) return [texts.get('username'), texts.get('password')];
  const text = Buffer.from(auth, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? [undefined, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** `https://registry.example/v1/` is `registry.example`. */
const hostOf = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
