import type { Host } from './host.js';
import { fileRemoval, fileStep, type Step } from './step.js';
import { UnitControl } from './unit-control.js';
import { mark, type ProgramPaths, systemService, systemSocket } from './unit-files.js';

const directory = '/etc/systemd/system';
const serviceFile = `${directory}/gantry.service`;
const socketFile = `${directory}/gantry.socket`;
const unitNames = ['gantry.socket', 'gantry.service'];
const sysctlFile = '/etc/sysctl.d/60-gantry.conf';
const inotifyFile = '/proc/sys/fs/inotify/max_user_instances';

/** Programs of all containers share what root may have: 128 by default, which 20 containers can use up. */
const inotifyInstances = 1024;

interface SystemInstallation {
  readonly paths: ProgramPaths;
  /** The Unix socket that systemd listens on; undefined when the configuration says where the daemon listens. */
  readonly socket: string | undefined;
  /** Whose members may use the socket. */
  readonly group: string;
  /** Whether the engine is to run at once. */
  readonly start: boolean;
}

/** What makes the engine a service of the host. */
export async function systemSteps(
  host: Host,
  { paths, socket, group, start }: SystemInstallation,
): Promise<readonly Step[]> {
  const units = new UnitControl(host, 'system');
  const files = [fileStep(host, serviceFile, systemService(paths, socket !== undefined))];
  if (socket !== undefined) files.push(fileStep(host, socketFile, await socketText(host, socket, group)));
  const names = socket === undefined ? ['gantry.service'] : unitNames;
  return [
    sysctlStep(host),
    // The socket's file says who made the group: it has to be there first.
    ...files,
    ...(socket === undefined ? [] : [groupStep(host, group)]),
    units.reload(names, files),
    units.enable(names),
    ...(start ? [units.start(names)] : []),
  ];
}

/** What undoes it. Images, volumes and containers stay, also those that run. */
export async function systemRemoval(host: Host): Promise<readonly Step[]> {
  const units = new UnitControl(host, 'system');
  const present = await ownUnits(host);
  const files = [fileRemoval(host, socketFile), fileRemoval(host, serviceFile)];
  const group = madeGroup((await host.read(socketFile)) ?? '');
  return [
    ...(present.length === 0 ? [] : [units.disable(present)]),
    ...files,
    units.reload(unitNames, files),
    fileRemoval(host, sysctlFile),
    ...(group === undefined ? [] : [groupRemoval(host, group)]),
  ];
}

async function ownUnits(host: Host): Promise<readonly string[]> {
  const texts = await Promise.all(unitNames.map((name) => host.read(`${directory}/${name}`)));
  return unitNames.filter((_, index) => texts[index]?.startsWith(mark));
}

const madeGroupLine = '# Its group was made by "gantryd install": ';

const madeGroup = (socketUnit: string): string | undefined =>
  socketUnit
    .split('\n')
    .find((line) => line.startsWith(madeGroupLine))
    ?.slice(madeGroupLine.length);

/** Remembers a group that there was not before, so that its removal is known to harm no one else. */
async function socketText(host: Host, socket: string, group: string): Promise<string> {
  const text = systemSocket(socket, group);
  const isOwn =
    (await membersOf(host, group)) === undefined || madeGroup((await host.read(socketFile)) ?? '') === group;
  return isOwn ? `${text}\n${madeGroupLine}${group}\n` : text;
}

/** The members of a group, undefined when there is no such group. */
async function membersOf(host: Host, group: string): Promise<string | undefined> {
  const line = (await host.read('/etc/group'))?.split('\n').find((entry) => entry.startsWith(`${group}:`));
  return line?.split(':')[3];
}

const groupStep = (host: Host, group: string): Step => ({
  what: `groupadd --system ${group}`,
  isDone: async () => (await membersOf(host, group)) !== undefined,
  carryOut: async () => void (await host.run('groupadd', '--system', group)),
});

/** A group that someone has joined stays. */
const groupRemoval = (host: Host, group: string): Step => ({
  what: `groupdel ${group}`,
  isDone: async () => (await membersOf(host, group)) !== '',
  carryOut: async () => void (await host.run('groupdel', group)),
});

/** The host may have more already. */
const sysctlStep = (host: Host): Step => {
  const text = `${mark}\nfs.inotify.max_user_instances = ${inotifyInstances}\n`;
  const file = fileStep(host, sysctlFile, text);
  return {
    what: `write ${sysctlFile}, and sysctl --load it`,
    isDone: async () => (await file.isDone()) || Number(await host.read(inotifyFile)) >= inotifyInstances,
    carryOut: async () => {
      await file.carryOut();
      await host.run('sysctl', '--quiet', '--load', sysctlFile);
    },
  };
};
