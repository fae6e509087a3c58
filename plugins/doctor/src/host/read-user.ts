import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { messageOf } from '@gantry/core/errors';
import { programPath } from '@gantry/lib-linux/launcher';
import { rangesOf } from '@gantry/lib-rootless';
import type { UserFacts } from './host-facts.js';
import { readText } from './read-text.js';

/** What an ordinary user's engine starts, and what connects its containers. */
const programs = ['newuidmap', 'newgidmap', 'unshare', 'nsenter', 'setpriv', 'slirp4netns', 'pasta'];

/** Settings of which this value keeps ordinary users from making namespaces. */
const refusals = [
  ['user.max_user_namespaces', '0'],
  ['kernel.unprivileged_userns_clone', '0'],
  ['kernel.apparmor_restrict_unprivileged_userns', '1'],
] as const;

export async function readUser(): Promise<UserFacts> {
  const isInNamespace = process.env.GANTRY_ROOTLESS !== undefined;
  const { uid, username: name } = userInfo();
  const isOrdinary = isInNamespace || uid !== 0;
  const [found, refused, idFailures, canOpenTun] = await Promise.all([
    Promise.all(programs.map((program) => isInstalled(program))),
    Promise.all(refusals.map(([setting, value]) => isSetTo(setting, value))),
    // In the namespaces the ids have been mapped already, and the user is called root.
    isOrdinary && !isInNamespace ? readIdFailures({ name, uid }) : [],
    access('/dev/net/tun', constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    ),
  ]);
  return {
    uid,
    name,
    isOrdinary,
    namespacesRefused: isInNamespace ? undefined : refused.find((setting) => setting !== undefined),
    idFailures,
    runtimeDirectory: process.env.XDG_RUNTIME_DIR,
    canOpenTun,
    programs: new Set(programs.filter((_, at) => found[at] === true)),
  };
}

const isInstalled = (program: string): Promise<boolean> =>
  programPath(program).then(
    () => true,
    () => false,
  );

async function isSetTo(setting: string, refusing: string): Promise<string | undefined> {
  const text = await readText(`/proc/sys/${setting.replaceAll('.', '/')}`);
  return text === refusing ? `${setting}=${text}` : undefined;
}

async function readIdFailures(user: { readonly name: string; readonly uid: number }): Promise<readonly string[]> {
  const failures = await Promise.all(
    ['/etc/subuid', '/etc/subgid'].map(async (file) => {
      try {
        rangesOf((await readText(file)) ?? '', user, file);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    }),
  );
  return failures.filter((failure) => failure !== undefined);
}
