import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../../../', import.meta.url));

interface DriverVersion {
  /** The directory of the driver below `drivers/` that does the work. */
  readonly base: string;
  /** Kind and version of the contract, such as `network/1.2`. */
  readonly provides: string;
  readonly id: string;
  readonly version: number;
  /** A method that rejects. */
  readonly failing?: string;
}

/**
 * Writes a version of a package, whose driver has every call done by one of the engine's own. It appends its version and
 * the method to the file `calls` beside the package, and does not begin a call while there is a file `hold-VERSION-METHOD`.
 * @param place where packages are. @returns the directory of the package.
 */
export async function writeVersion(place: string, { base, failing, id, provides, version }: DriverVersion) {
  const [kind = ''] = provides.split('/');
  const directory = path.join(place, `${kind}-${version}`);
  await mkdir(directory, { recursive: true });
  const manifest = {
    name: `gantry-${kind}-${id}`,
    version: `${version}.0.0`,
    type: 'module',
    exports: './index.js',
    gantry: { driver: { id, provides } },
  };
  await writeFile(path.join(directory, 'package.json'), JSON.stringify(manifest));
  const code = `
    import { appendFileSync, existsSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { createDriver } from '@gantry/core/driver';
    import base from ${JSON.stringify(path.join(project, 'drivers', base, 'dist/index.js'))};

    const place = ${JSON.stringify(place)};
    const intercepted = (name, call) => (...args) => {
      appendFileSync(place + '/calls', '${version} ' + name + '\\n');
      if (name === ${JSON.stringify(failing)}) throw new Error(name + ' fails in version ${version}');
      const hold = place + '/hold-${version}-' + name;
      if (!existsSync(hold)) return call(...args);
      return (async () => {
        while (existsSync(hold)) await delay(10);
        return call(...args);
      })();
    };
    export default {
      ...base,
      id: '${id}',
      async create(context) {
        const { driver, hooks } = await createDriver(base, context);
        return new Proxy(driver, {
          get(_, name) {
            const owner = name in hooks ? hooks : driver;
            const member = owner[name];
            if (typeof member === 'function') return intercepted(String(name), member.bind(owner));
            return name === 'stop' ? intercepted('stop', async () => {}) : member;
          },
        });
      },
    };`;
  await writeFile(path.join(directory, 'index.js'), code);
  return directory;
}
