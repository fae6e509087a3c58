import { type SourceContext, SourceError, type SourceRepository } from '@gantry/core/contracts';
import { inUrl, resolveDestination } from '../network/resolve-destination.js';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A source's URL without its credentials, and the credentials. */
export interface SourceLocation {
  readonly url: URL;
  readonly credentials: Credentials | undefined;
}

const step = 'reading the URL of the source';
const networkSchemes = new Set(['http:', 'https:', 'svn:', 'git:']);
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'svn:': 3690, 'git:': 9418 };

/** Refuses whatever could be taken for an option or a transport program. @throws SourceError `unsupported-url`. */
export function readLocation(source: SourceRepository, { allowLocalFiles = false }: SourceContext): SourceLocation {
  const refuse = (why: string): never => {
    throw new SourceError('unsupported-url', `vcs_url ${why}: use an http, https, svn or git URL`, step);
  };
  const text = source.url.trim();
  if (!URL.canParse(text) || /\p{Cc}/u.test(text)) return refuse('is not a URL');
  const url = new URL(text);
  if (url.protocol === 'file:') {
    if (!allowLocalFiles) return refuse('is a path of this host, which is not allowed');
  } else if (!networkSchemes.has(url.protocol)) {
    return refuse(`has the unsupported scheme ${url.protocol.slice(0, -1)}`);
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

/** The error for a server that denies access: for lack of credentials, or because of those it was given. */
export const accessDenied = ({ url, credentials }: SourceLocation, step: string, output = ''): SourceError =>
  credentials === undefined
    ? new SourceError('auth-needed', `${url.host} asks for credentials`, step, output)
    : new SourceError('auth-failed', `${url.host} does not accept the credentials`, step, output);

/** Whether connections go through the proxy. For other protocols the address has to be pinned in the URL. */
const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

const portOf = ({ protocol, port }: URL): number => Number(port || defaultPorts[protocol] || 0);

/** The URL to pass to a program: with the checked address in place of the name where no proxy is used. */
export async function reachableUrl(url: URL, context: SourceContext): Promise<string> {
  if (url.protocol === 'file:' || isWeb(url)) return url.href;
  const address = await resolveDestination(url.hostname, portOf(url), context, 'connecting to the source');
  return `${url.protocol}//${inUrl(address)}:${portOf(url)}${url.pathname}${url.search}`;
}
