import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FindService } from '@gantry/core/plugin';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Host } from './host.js';
import type { Installation } from './install-command.js';

/** By the user who runs this program, on this host, of this program. */
export function ownInstallation(port: FindService): Installation {
  const { env, execPath, argv } = process;
  const { XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS, XDG_CONFIG_HOME } = env;
  const isRoot = process.getuid?.() === 0;
  const environment = isRoot ? {} : definedOf({ XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS });
  return {
    host: new Host(port(Launcher), environment),
    installer: isRoot
      ? { scope: 'system' }
      : { scope: 'user', configDirectory: XDG_CONFIG_HOME ?? join(homedir(), '.config') },
    program: { node: execPath, script: argv[1] ?? '' },
  };
}

const definedOf = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
