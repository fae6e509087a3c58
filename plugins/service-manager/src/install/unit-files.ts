/** The first line of every file that `gantryd install` writes: it replaces and removes no others. */
export const mark =
  '# Written by "gantryd install"; "gantryd uninstall" removes it. Changes belong into a drop-in beside it.';

/** Where the program is, and how it is started. */
export interface ProgramPaths {
  /** Node's. */
  readonly node: string;
  /** `gantryd.js`. */
  readonly script: string;
  /** Undefined: the engine's defaults. */
  readonly configFile: string | undefined;
}

const limits = ['LimitNOFILE=1048576', 'LimitNPROC=infinity', 'TasksMax=infinity'];

/** The engine as a service of the host, on a socket of systemd's or on those of its configuration. */
export const systemService = (paths: ProgramPaths, hasSocket: boolean): string =>
  unit({
    Unit: [
      'Description=Gantry container engine',
      'After=network-online.target nss-lookup.target firewalld.service time-set.target',
      'Wants=network-online.target',
      ...(hasSocket ? ['Requires=gantry.socket'] : []),
    ],
    Service: [
      'Type=notify',
      'Environment=UV_THREADPOOL_SIZE=64',
      // systemd passes its socket on.
      `ExecStart=${commandLine(paths, ...(hasSocket ? ['--host', 'fd://'] : []))}`,
      'ExecReload=/bin/kill -HUP $MAINPID',
      'WatchdogSec=60',
      'TimeoutStartSec=5min',
      'Restart=on-failure',
      'RestartSec=2',
      '# The monitors of containers are in this unit’s cgroup, and outlive the daemon.',
      'KillMode=process',
      'Delegate=yes',
      'OOMScoreAdjust=-500',
      ...limits,
    ],
    Install: ['WantedBy=multi-user.target'],
  });

/** Its socket, which members of the group may use. */
export const systemSocket = (socket: string, group: string): string =>
  unit({
    Unit: ['Description=Socket of the Gantry container engine'],
    Socket: [`ListenStream=${literal(socket)}`, 'SocketMode=0660', `SocketGroup=${group}`],
    Install: ['WantedBy=sockets.target'],
  });

/** The engine of an ordinary user, as a service of the user's systemd. */
export const userService = (paths: ProgramPaths): string =>
  unit({
    Unit: ['Description=Gantry container engine of a user'],
    Service: [
      'Environment=UV_THREADPOOL_SIZE=64',
      `ExecStart=${commandLine(paths)}`,
      'TimeoutStopSec=2min',
      'Restart=on-failure',
      'RestartSec=2',
      '# The engine and its containers are in a scope of their own, where containers outlive the daemon.',
      'KillMode=process',
    ],
    Install: ['WantedBy=default.target'],
  });

/** A file of several sections, each a list of lines. */
function unit(sections: Readonly<Record<string, readonly string[]>>): string {
  const texts = Object.entries(sections).map(([name, lines]) => `[${name}]\n${lines.join('\n')}\n`);
  return `${mark}\n\n${texts.join('\n')}`;
}

function commandLine({ node, script, configFile }: ProgramPaths, ...more: readonly string[]): string {
  const config = configFile === undefined ? [] : ['--config', configFile];
  return [node, script, ...config, ...more].map(word).join(' ');
}

/** A word of `ExecStart`, in which quotes, backslashes, `$` and `%` have meanings (systemd.service(5)). */
function word(text: string): string {
  const escaped = literal(text).replaceAll('$', '$$$$');
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : `"${escaped.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** `%` begins a specifier everywhere in a unit. */
const literal = (text: string): string => text.replaceAll('%', '%%');
