/** How the value of a flag is written: not at all, once, or as often as needed. */
type FlagKind = 'switch' | 'text' | 'list';

interface Flag {
  readonly kind: FlagKind;
  readonly short?: string;
  readonly help: string;
}

/** What `gantry run` understands. */
export const runFlags = {
  volume: { kind: 'list', short: 'v', help: 'HOST-PATH:PATH[:ro] or NAME:PATH, mounted in the container' },
  mount: { kind: 'list', help: 'type=bind|volume|tmpfs,source=…,target=…[,readonly]' },
  tmpfs: { kind: 'list', help: 'PATH[:OPTIONS], a directory in memory' },
  env: { kind: 'list', short: 'e', help: 'NAME=VALUE, or NAME to pass on the one of this environment' },
  'env-file': { kind: 'list', help: 'file with such lines' },
  workdir: { kind: 'text', short: 'w', help: 'directory that the command runs in' },
  publish: { kind: 'list', short: 'p', help: '[ADDRESS:]HOST-PORT:PORT[/udp]' },
  rm: { kind: 'switch', help: 'remove the container when it exits; always so, --rm=false keeps it' },
  interactive: { kind: 'switch', short: 'i', help: 'connect standard input' },
  tty: { kind: 'switch', short: 't', help: 'give the command a terminal' },
  user: { kind: 'text', short: 'u', help: 'USER[:GROUP], by name or number' },
  name: { kind: 'text', help: 'name of the container' },
  hostname: { kind: 'text', short: 'h', help: 'name of the host as the container sees it' },
  network: { kind: 'text', help: 'bridge (the default), host, none or the name of a network' },
  'add-host': { kind: 'list', help: 'NAME:ADDRESS for /etc/hosts' },
  dns: { kind: 'list', help: 'address of a name server' },
  entrypoint: { kind: 'text', help: "program in place of the image's" },
  label: { kind: 'list', short: 'l', help: 'NAME=VALUE' },
  memory: { kind: 'text', short: 'm', help: 'limit, such as 512m' },
  cpus: { kind: 'text', help: 'limit, such as 1.5' },
  'shm-size': { kind: 'text', help: 'of /dev/shm, such as 256m' },
  init: { kind: 'switch', help: 'run a process 1 that reaps others' },
  privileged: { kind: 'switch', help: 'all capabilities and devices' },
  'cap-add': { kind: 'list', help: 'capability to add' },
  'cap-drop': { kind: 'list', help: 'capability to drop' },
  device: { kind: 'list', help: 'HOST-PATH[:PATH[:rwm]]' },
  'read-only': { kind: 'switch', help: 'the root file system cannot be written to' },
  'security-opt': { kind: 'list', help: 'such as seccomp=unconfined' },
  'stop-signal': { kind: 'text', help: 'signal that asks the command to stop' },
  ulimit: { kind: 'list', help: 'NAME=SOFT[:HARD]' },
  platform: { kind: 'text', help: 'such as linux/arm64' },
  pull: { kind: 'text', help: 'missing (the default), always or never' },
  quiet: { kind: 'switch', short: 'q', help: 'no progress of a pull' },
  host: { kind: 'text', short: 'H', help: 'use the engine that listens there instead of an own one: unix:///path' },
  directory: { kind: 'text', help: 'where images and volumes are kept; default /var/lib/gantry-run' },
  help: { kind: 'switch', help: 'this text' },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof runFlags;

/** Other spellings. */
export const aliases: Readonly<Record<string, FlagName>> = { net: 'network' };

/** Flags that people know from elsewhere, with the reason why they are refused. */
export const refusals: Readonly<Record<string, string>> = {
  detach: 'the engine ends with the command; run a daemon (gantryd) for containers in the background',
  d: 'the engine ends with the command; run a daemon (gantryd) for containers in the background',
  restart: 'the command runs once; run a daemon (gantryd) for containers that are restarted',
};

export const runUsage = [
  'usage: gantry run [FLAGS] IMAGE [COMMAND] [ARGUMENT...]',
  '',
  'Runs a command in a container with an engine of its own, and exits with its exit code.',
  '',
  ...Object.entries(runFlags).map(([name, flag]: [string, Flag]) => {
    const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
    return `  ${short}--${name.padEnd(14)} ${flag.help}`;
  }),
].join('\n');
