import { readFile } from 'node:fs/promises';
import type { IdMappings } from '../../contracts/id-mappings.js';
import type { OciIdMapping } from '../../contracts/oci.js';
import { type EngineError, invalidArgument, messageOf } from '../../errors/engine-error.js';

/** The user and group that `default` stands for. */
const defaultName = 'dockremap';

/** What a name or a number of the configuration refers to. */
interface Account {
  readonly name: string;
  readonly id: number;
}

/**
 * The mappings for `usernsRemap`: `default`, `user[:group]` or `uid[:gid]`, whose ranges are in /etc/subuid and
 * /etc/subgid. Without a group the ranges of group ids are those of the group of the user's name or number.
 * @throws EngineError `invalid-argument` naming the value and what the host lacks.
 */
export async function readIdMappings(usernsRemap: string, etc = '/etc'): Promise<IdMappings> {
  const [user = '', group = user, ...more] = (usernsRemap === 'default' ? defaultName : usernsRemap).split(':');
  if (user === '' || group === '' || more.length > 0) {
    throw invalidArgument(`usernsRemap: "${usernsRemap}" is not "default", user[:group] or uid[:gid]`);
  }
  return {
    uids: await mappingsOf({ usernsRemap, kind: 'user', wanted: user, accounts: 'passwd', ranges: 'subuid', etc }),
    gids: await mappingsOf({ usernsRemap, kind: 'group', wanted: group, accounts: 'group', ranges: 'subgid', etc }),
  };
}

interface Lookup {
  readonly usernsRemap: string;
  readonly kind: 'user' | 'group';
  readonly wanted: string;
  /** Files in `etc`. */
  readonly accounts: string;
  readonly ranges: string;
  readonly etc: string;
}

async function mappingsOf({ usernsRemap, kind, wanted, accounts, ranges, etc }: Lookup): Promise<OciIdMapping[]> {
  const fail = (reason: string): EngineError => invalidArgument(`usernsRemap: "${usernsRemap}": ${reason}`);
  const account = (await linesOf(`${etc}/${accounts}`, fail))
    .map(([name = '', , id = '']): Account => ({ name, id: Number(id) }))
    .find(({ name, id }) => name === wanted || String(id) === wanted);
  if (account === undefined) {
    const hint = wanted === defaultName ? `; create it with "useradd --system --user-group ${defaultName}"` : '';
    throw fail(`there is no ${kind} "${wanted}" in ${etc}/${accounts}${hint}`);
  }
  const file = `${etc}/${ranges}`;
  const own = (await linesOf(file, fail)).filter(([owner]) => owner === account.name || owner === String(account.id));
  if (own.length === 0) {
    throw fail(
      `${file} has no range for the ${kind} ${account.name}; add a line such as "${account.name}:100000:65536"`,
    );
  }
  let containerID = 0;
  return own.map((line) => {
    const [hostID, size] = [Number(line[1]), Number(line[2])];
    if (!isId(hostID) || !isId(size) || size === 0 || hostID === 0 || hostID + size > 2 ** 32 - 1) {
      throw fail(`${file}: "${line.join(':')}" is not a range such as "${account.name}:100000:65536"`);
    }
    const mapping = { containerID, hostID, size };
    containerID += size;
    return mapping;
  });
}

const isId = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** The fields of each line. */
async function linesOf(file: string, fail: (reason: string) => EngineError): Promise<readonly (readonly string[])[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw fail(`cannot read ${file}: ${messageOf(error)}`);
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'));
}
