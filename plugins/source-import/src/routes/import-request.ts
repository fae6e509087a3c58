import { isIP } from 'node:net';
import type { HostedError, Parameters } from '@gantry/hosted-api/service';
import { type Vcs, versionControlSystems } from '@gantry/source-conversion';
import type { Credentials } from '../runs/credentials.js';
import type { DestinationRule } from '../runs/destinations.js';
import type { ImportChanges, NewImport } from '../runs/imports.js';
import type { ImportRecord } from '../store/records.js';

export interface SourceRules {
  readonly allowLocalFiles: boolean;
  readonly destinations: DestinationRule;
}

const schemes = ['http:', 'https:', 'svn:', 'git:'];
const longest = 2000;

/** Reads what an import is to be started with. @throws HostedError 422 naming field and value. */
export function readStart(
  body: Parameters,
  rules: SourceRules,
): Pick<NewImport, 'url' | 'vcs' | 'project' | 'credentials'> {
  body.only('vcs_url', 'vcs', 'vcs_username', 'vcs_password', 'tfvc_project');
  const address = body.string('vcs_url');
  if (address === undefined || address === '') throw body.missing('vcs_url');
  const { url, credentials: within } = readAddress(body, address, rules);
  const vcs = readVcs(body);
  const project = readText(body, 'tfvc_project');
  const credentials = { ...within, ...readCredentials(body) };
  return {
    url,
    ...(vcs !== undefined && { vcs }),
    ...(project !== undefined && { project }),
    ...(Object.keys(credentials).length > 0 && { credentials }),
  };
}

/** Reads what is new about an import. @throws HostedError 422 naming field and value. */
export function readChanges(body: Parameters, { state }: ImportRecord): ImportChanges {
  // A choice comes back as it was given, with the words that it was shown by.
  body.only('vcs_username', 'vcs_password', 'vcs', 'tfvc_project', 'svn_root', 'human_name');
  const credentials = readCredentials(body);
  const named = readVcs(body);
  const field = body.value('svn_root') === undefined ? 'tfvc_project' : 'svn_root';
  const project = readText(body, field);
  body.string('human_name');
  const choices = state.status === 'detection_found_multiple' ? state.choices : [];
  const chosen = choices.find((each) => each.project === project && (named === undefined || each.vcs === named));
  if (choices.length > 0 && project !== undefined && chosen === undefined) {
    throw body.invalid(field, `one of ${choices.map((each) => each.project).join(', ')}`);
  }
  const vcs = named ?? chosen?.vcs;
  return {
    ...(credentials !== undefined && { credentials }),
    ...(vcs !== undefined && { vcs }),
    ...(project !== undefined && { project }),
  };
}

function readVcs(body: Parameters): Vcs | undefined {
  const name = body.string('vcs');
  const vcs = versionControlSystems.find((each) => each === name);
  if (name !== undefined && vcs === undefined) throw body.invalid('vcs', `one of ${versionControlSystems.join(', ')}`);
  return vcs;
}

function readCredentials(body: Parameters): Credentials | undefined {
  const [username, password] = [body.string('vcs_username'), body.string('vcs_password')];
  for (const [field, value] of Object.entries({ vcs_username: username, vcs_password: password })) {
    // Not `invalid`, which would tell the value.
    if (value !== undefined && !isText(value)) throw body.fault(field, 'invalid', 'it is not a line of text');
  }
  if (username === undefined && password === undefined) return undefined;
  return { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
}

function readText(body: Parameters, field: string): string | undefined {
  const text = body.string(field);
  if (text !== undefined && (text === '' || !isText(text))) throw body.invalid(field, 'a line of text');
  return text;
}

const isText = (text: string): boolean => text.length <= longest && !/\p{Cc}/u.test(text);

/** Takes the user's name and password out of an address: nobody is shown them again. */
function readAddress(
  body: Parameters,
  address: string,
  rules: SourceRules,
): { readonly url: string; readonly credentials: Credentials } {
  const refused = (reason: string): HostedError => body.fault('vcs_url', 'invalid', reason);
  if (!isText(address) || !URL.canParse(address))
    throw refused('it is not an address such as https://example.com/x.git');
  const { protocol, hostname, username, password } = new URL(address);
  if (!schemes.includes(protocol) && !(protocol === 'file:' && rules.allowLocalFiles)) {
    throw refused(`"${protocol.slice(0, 20)}" is none of ${schemes.join(', ')}`);
  }
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'file:' && host === '') throw refused('it names no host');
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const literal = isLocal ? '127.0.0.1' : host;
  if (isIP(literal) > 0 && !rules.destinations({ host, address: literal })) {
    throw refused(`${host} is no address of the Internet, and not allowed here`);
  }
  const bare = username === '' && password === '' ? address : address.replace(/^([^/]*\/\/)[^/?#]*@/, '$1');
  return {
    url: bare,
    credentials: {
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    },
  };
}
