import type { OciProcess, TerminalSize } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { processCapabilities } from '@gantry/lib-oci';
import type { ContainerRecord } from '../record.js';
import type { Ulimit } from '../schema.js';
import { readConsoleSize } from '../validation/read-console-size.js';
import { selectCapabilities } from './capabilities.js';
import { containerEnvironment, mergeEnvironment } from './container-environment.js';
import { resolveUser } from './resolve-user.js';
import type { ExecSpecRequest, SpecRequest } from './spec-request.js';

/** -1 is no limit, which the kernel writes as its largest number. */
const limitOf = (value: number | undefined): number => (value === undefined ? 0 : value < 0 ? 2 ** 64 - 2048 : value);

const rlimits = (ulimits: readonly Ulimit[]): OciProcess['rlimits'] =>
  ulimits.map(({ Name: name = '', Soft: soft, Hard: hard }) => ({
    type: `RLIMIT_${name.toUpperCase()}`,
    soft: limitOf(soft),
    hard: limitOf(hard ?? soft),
  }));

const hasNoNewPrivileges = (options: readonly string[]): boolean =>
  options.some((option) => /^no-new-privileges(?:[:=]true)?$/.test(option));

export const capabilitiesOf = ({ hostConfig }: ContainerRecord, host: ReadonlySet<string>): readonly string[] =>
  selectCapabilities(
    { add: hostConfig.CapAdd ?? [], drop: hostConfig.CapDrop ?? [], privileged: hostConfig.Privileged === true },
    host,
  );

/** The first process of a container. */
export async function containerProcess(
  { record, rootfs, links }: Pick<SpecRequest, 'record' | 'rootfs' | 'links'>,
  host: ReadonlySet<string>,
): Promise<OciProcess> {
  const { config, hostConfig } = record;
  const user = await resolveUser(rootfs, config.User ?? '', hostConfig.GroupAdd ?? []);
  const { OomScoreAdj: oomScoreAdj } = hostConfig;
  const environment = containerEnvironment(record, links);
  return {
    terminal: config.Tty === true,
    ...(config.Tty === true && withSize(readConsoleSize(hostConfig.ConsoleSize))),
    user: { uid: user.uid, gid: user.gid, additionalGids: user.additionalGids },
    args: [record.path, ...record.args],
    env: withHome(environment, user.home),
    cwd: config.WorkingDir || '/',
    capabilities: processCapabilities(capabilitiesOf(record, host), user.uid),
    rlimits: rlimits(hostConfig.Ulimits ?? []) ?? [],
    noNewPrivileges: hasNoNewPrivileges(hostConfig.SecurityOpt ?? []),
    ...(oomScoreAdj !== undefined && oomScoreAdj !== 0 && { oomScoreAdj }),
  };
}

/** A further process: the container's environment and limits, with what the request says instead. */
export async function execProcess(
  { record, links, rootfs, exec }: ExecSpecRequest,
  host: ReadonlySet<string>,
): Promise<OciProcess> {
  const { consoleSize: _, ...base } = await containerProcess({ record, rootfs, links }, host);
  const user =
    exec.user === undefined || exec.user === ''
      ? undefined
      : await resolveUser(rootfs, exec.user, record.hostConfig.GroupAdd ?? []);
  const uid = user?.uid ?? base.user.uid;
  const own = capabilitiesOf(record, host);
  const capabilities = exec.privileged ? selectCapabilities({ add: [], drop: [], privileged: true }, host) : own;
  const cwd = exec.workingDir || base.cwd;
  if (!cwd.startsWith('/')) throw invalidArgument(`WorkingDir: "${cwd}" is not an absolute path`);
  const environment = mergeEnvironment(base.env ?? [], exec.terminal ? ['TERM=xterm'] : [], exec.env ?? []);
  return {
    ...base,
    terminal: exec.terminal,
    ...(exec.terminal && withSize(exec.consoleSize)),
    args: exec.args,
    env: withHome(
      user === undefined ? environment : environment.filter(notHome),
      user === undefined ? homeOf(base) : user.home,
    ),
    cwd,
    ...(user !== undefined && { user: { uid: user.uid, gid: user.gid, additionalGids: user.additionalGids } }),
    capabilities: processCapabilities(capabilities, uid),
  };
}

const homeOf = ({ env = [] }: OciProcess): string | undefined =>
  env.find((entry) => entry.startsWith('HOME='))?.slice('HOME='.length);

const notHome = (entry: string): boolean => !entry.startsWith('HOME=');

const withHome = (environment: readonly string[], home: string | undefined): readonly string[] =>
  environment.some((entry) => /^HOME=./.test(entry))
    ? environment
    : [...environment.filter(notHome), `HOME=${home || '/'}`];

const withSize = (consoleSize: TerminalSize | undefined): Pick<OciProcess, 'consoleSize'> =>
  consoleSize === undefined ? {} : { consoleSize };
