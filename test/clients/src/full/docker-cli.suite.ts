import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { readCommands, runCommands } from '../commands/run-commands.js';
import { writeFiles } from '../commands/write-files.js';
import { programs, startClientHost } from '../testing/client-host.js';
import { clients } from '../testing/debian.js';
import { startRegistry } from '../testing/start-registry.js';

interface Recorded {
  /** Exit codes of Docker 28.5, by version and command; null where it did not answer. */
  readonly codes: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
  /** Those that are others here, with the reason. */
  readonly otherwise: Readonly<Record<string, { readonly versions: readonly string[]; readonly code: number }>>;
}

for (const version of ['1.24', '1.41', '1.51']) {
  test(`the commands of the docker CLI end as with Docker 28.5, at API ${version}`, async (t) => {
    t.timeout(600_000);
    const host = await startClientHost(t);
    const directory = path.join(host.daemon.directory, 'commands');
    await mkdir(directory);
    await writeFiles(directory);
    await startRegistry(t, host, directory);
    const { dockerConfig, programs: binaries } = await clients();
    const ownConfig = path.join(directory, 'config');
    await mkdir(ownConfig);
    await symlink(path.join(dockerConfig, 'cli-plugins'), path.join(ownConfig, 'cli-plugins'));
    const environment = {
      ...{ D: path.join(binaries, 'docker'), DOCKER_CONFIG: ownConfig, DOCKER_API_VERSION: version },
      ...{ W: directory, ADDRESS: '127.0.0.1' },
    };
    const outcomes = await runCommands((line) => host.run('bash', ['-c', line], { directory, environment }));
    const recorded = JSON.parse(await readFile(path.join(programs, 'commands/outcomes.json'), 'utf8')) as Recorded;
    const differences = (await readCommands()).flatMap(({ name, line }) => {
      const other = recorded.otherwise[name];
      const expected = other?.versions.includes(version) ? other.code : recorded.codes[version]?.[name];
      const { code, stderr, stdout } = outcomes[name] ?? { code: null, stdout: '', stderr: '' };
      return code === expected ? [] : [`${name}: ${code} instead of ${expected}: ${line}\n${stdout}\n${stderr}`];
    });
    t.deepEqual(differences, []);
  });
}
