import { isIP } from 'node:net';
import type { SourceDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import type { HostedError, Parameters } from '@gantry/hosted-api/service';
import type { ImportUpdate } from '../imports/restart-import.js';
import type { NewImport } from '../imports/start-import.js';
import type { Settings } from '../settings/import-settings.js';
import type { Credentials } from '../store/credential-vault.js';
import type { ImportRecord } from '../store/records.js';

const maxLength = 2000;

/** Reads the body that starts an import. @throws HostedError 422 naming field and value. */
export function readStart(
  body: Parameters,
  drivers: DriverSet<SourceDriver>,
  settings: Settings,
): Pick<NewImport, 'url' | 'vcs' | 'project' | 'credentials'> {
  body.only('vcs_url', 'vcs', 'vcs_username', 'vcs_password', 'tfvc_project');
  const address = body.string('vcs_url');
  if (address === undefined || address === '') throw body.missing('vcs_url');
  const { url, credentials: within } = readAddress(body, address, drivers, settings);
  const vcs = readVcs(body, drivers.ids);
  const project = readText(body, 'tfvc_project');
  const credentials = { ...within, ...readCredentials(body) };
  return {
    url,
    ...(vcs !== undefined && { vcs }),
    ...(project !== undefined && { project }),
    ...(Object.keys(credentials).length > 0 && { credentials }),
  };
}

/** Reads the body that updates an import. @throws HostedError 422 naming field and value. */
export function readUpdate(body: Parameters, { state }: ImportRecord, vcsIds: readonly string[]): ImportUpdate {
  // Clients send one of the `project_choices` unchanged, with its `human_name`.
  body.only('vcs_username', 'vcs_password', 'vcs', 'tfvc_project', 'svn_root', 'human_name');
  const credentials = readCredentials(body);
  const named = readVcs(body, vcsIds);
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

function readVcs(body: Parameters, ids: readonly string[]): string | undefined {
  const vcs = body.string('vcs');
  if (vcs !== undefined && !ids.includes(vcs)) throw body.invalid('vcs', `one of ${ids.toSorted().join(', ')}`);
  return vcs;
}

function readCredentials(body: Parameters): Credentials | undefined {
  const [username, password] = [body.string('vcs_username'), body.string('vcs_password')];
  for (const [field, value] of Object.entries({ vcs_username: username, vcs_password: password })) {
    // Not `invalid`, whose message has the value.
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

const isText = (text: string): boolean => text.length <= maxLength && !/\p{Cc}/u.test(text);

/** Separates the credentials of a URL, so that they are not shown again. */
function readAddress(
  body: Parameters,
  address: string,
  drivers: DriverSet<SourceDriver>,
  { config, destinations }: Settings,
): { readonly url: string; readonly credentials: Credentials } {
  const refused = (reason: string): HostedError => body.fault('vcs_url', 'invalid', reason);
  if (!isText(address) || !URL.canParse(address)) {
    throw refused('it is not an address such as https://example.com/x.git');
  }
  const { protocol, hostname, username, password } = new URL(address);
  const schemes = schemesOf(drivers);
  if (!schemes.includes(protocol) && !(protocol === 'file:' && config.allowLocalFiles)) {
    throw refused(`"${protocol.slice(0, 20)}" is none of ${schemes.join(', ')}`);
  }
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'file:' && host === '') throw refused('it names no host');
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const literal = isLocal ? '127.0.0.1' : host;
  if (isIP(literal) > 0 && !destinations({ host, address: literal })) {
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

/** The schemes of all drivers, except `file:`. */
function schemesOf(drivers: DriverSet<SourceDriver>): readonly string[] {
  const schemes = [...drivers.entries()].flatMap(([, { capabilities }]) => capabilities.schemes);
  return [...new Set(schemes)].filter((scheme) => scheme !== 'file:').toSorted();
}
