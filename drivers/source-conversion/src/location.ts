import type { ConversionContext } from './conversion-context.js';
import { inUrl, resolveDestination } from './network/destinations.js';
import type { Source } from './source.js';
import { SourceError } from './source-error.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A source's URL, taken apart: nothing secret is left in it. */
export interface Location {
  readonly url: URL;
  readonly credentials: Credentials | undefined;
}

const step = 'reading the URL of the source';
const networkSchemes = new Set(['http:', 'https:', 'svn:', 'git:']);
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'svn:': 3690, 'git:': 9418 };

/** Throws SourceError `unsupported-url`. Nothing that looks like an option or names a program's own transport passes. */
export function readLocation(source: Source, { allowLocalFiles = false }: ConversionContext): Location {
  const refuse = (why: string): never => {
    throw new SourceError('unsupported-url', `vcs_url ${why}: use an http, https, svn or git URL`, step);
  };
  const text = source.url.trim();
  if (!URL.canParse(text) || /\p{Cc}/u.test(text)) return refuse('is not a URL');
  const url = new URL(text);
  if (url.protocol === 'file:') {
    if (!allowLocalFiles) return refuse('is a path of this host, which is not allowed');
  } else if (!networkSchemes.has(url.protocol)) {
    return refuse(`has the scheme ${url.protocol.slice(0, -1)}, which is not imported from`);
  } else if (url.hostname === '') return refuse('names no host');
  const username = source.username ?? decode(url.username);
  const password = source.password ?? decode(url.password);
  if (/[\r\n\0]/.test(username + password)) return refuse('has credentials with line breaks in them');
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url, credentials: username === '' && password === '' ? undefined : { username, password } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What it means that a source lets nobody in. */
export const refusedEntry = ({ url, credentials }: Location, step: string, words = ''): SourceError =>
  credentials === undefined
    ? new SourceError('auth-needed', `${url.host} asks for credentials`, step, words)
    : new SourceError('auth-failed', `${url.host} does not accept the credentials`, step, words);

/** Whether its connections go through the gate. What else there is has to be pinned. */
const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

export const portOf = ({ protocol, port }: URL): number => Number(port || defaultPorts[protocol] || 0);

/**
 * The URL for a tool: of a protocol that does not go through the gate, with the one checked address in place of the
 * name. Rejects SourceError.
 */
export async function reachableUrl(url: URL, context: ConversionContext): Promise<string> {
  if (url.protocol === 'file:' || isWeb(url)) return url.href;
  const address = await resolveDestination(url.hostname, portOf(url), context, 'connecting to the source');
  return `${url.protocol}//${inUrl(address)}:${portOf(url)}${url.pathname}${url.search}`;
}
