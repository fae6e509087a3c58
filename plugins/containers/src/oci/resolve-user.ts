import { invalidArgument } from '@gantry/core/errors';
import { readRootedFile } from './read-rooted-file.js';

/** Whom a process runs as. */
interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
  readonly additionalGids: readonly number[];
  /** From passwd; undefined when it does not know the user. */
  readonly home: string | undefined;
}

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

interface GroupEntry {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

const maxId = 2 ** 31 - 1;
const asId = (text: string): number | undefined =>
  /^\d+$/.test(text) && Number(text) <= maxId ? Number(text) : undefined;

export function parsePasswd(text: string): readonly PasswdEntry[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = '', , home = ''] = line.split(':');
    const ids = { uid: asId(uid), gid: asId(gid) };
    if (name === '' || ids.uid === undefined || ids.gid === undefined) return [];
    return [{ name, uid: ids.uid, gid: ids.gid, home }];
  });
}

export function parseGroup(text: string): readonly GroupEntry[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , digits = '', members = ''] = line.split(':');
    const gid = asId(digits);
    return name === '' || gid === undefined
      ? []
      : [{ name, gid, members: members.split(',').filter((member) => member !== '') }];
  });
}

/**
 * Resolves `user`, `user:group`, `uid` or `uid:gid` (empty: root) against the files of a root file system, with the
 * groups that list the user and those of `GroupAdd`. A number that no file knows is taken as it is.
 * @throws EngineError `invalid-argument` naming the user or group.
 */
export async function resolveUser(rootfs: string, text: string, groupAdd: readonly string[]): Promise<ProcessUser> {
  const [passwdText, groupText] = await Promise.all([
    readRootedFile(rootfs, '/etc/passwd'),
    readRootedFile(rootfs, '/etc/group'),
  ]);
  return selectUser(text, groupAdd, parsePasswd(passwdText ?? ''), parseGroup(groupText ?? ''));
}

export function selectUser(
  text: string,
  groupAdd: readonly string[],
  passwd: readonly PasswdEntry[],
  groups: readonly GroupEntry[],
): ProcessUser {
  const [userText = '', groupName] = text.split(':', 2);
  const wanted = userText === '' ? '0' : userText;
  const id = asId(wanted);
  const entry = passwd.find(({ name }) => name === wanted) ?? passwd.find(({ uid }) => uid === id);
  const uid = entry?.uid ?? id;
  if (uid === undefined) throw invalidArgument(`unable to find user ${userText}: no matching entries in passwd file`);
  const explicit = groupName === undefined || groupName === '' ? undefined : gidOf(groupName, groups);
  if (groupName !== undefined && groupName !== '' && explicit === undefined) {
    throw invalidArgument(`unable to find group ${groupName}: no matching entries in group file`);
  }
  const gid = explicit ?? entry?.gid ?? 0;
  const listed =
    explicit === undefined && entry !== undefined
      ? groups.filter(({ members }) => members.includes(entry.name)).map((group) => group.gid)
      : [];
  const added = groupAdd.map((name) => {
    const found = gidOf(name, groups);
    if (found === undefined)
      throw invalidArgument(`GroupAdd: unable to find group ${name}: no matching entries in group file`);
    return found;
  });
  // The primary group is among them, or a process could drop it and gain what is closed to it (CVE-2022-36109).
  return { uid, gid, additionalGids: [...new Set([gid, ...listed, ...added])], home: entry?.home };
}

const gidOf = (text: string, groups: readonly GroupEntry[]): number | undefined =>
  groups.find(({ name }) => name === text)?.gid ?? asId(text);
