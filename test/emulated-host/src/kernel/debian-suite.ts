import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../run-program.js';

/**
 * Packages of one release of Debian, whichever release this machine has. They come from the mirror in the machine's own
 * apt sources, through an apt root below `directory`, so that nothing of the machine changes.
 */
export class DebianSuite {
  readonly #options: readonly string[];

  private constructor(directory: string) {
    const options = {
      'Dir::Etc::sourcelist': join(directory, 'sources.list'),
      'Dir::Etc::sourceparts': '/dev/null',
      'Dir::Etc::preferencesparts': '/dev/null',
      'Dir::State::lists': join(directory, 'lists'),
      'Dir::State::status': join(directory, 'status'),
      'Dir::Cache': join(directory, 'cache'),
      'APT::Sandbox::User': 'root',
    };
    this.#options = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  }

  /** Reads the lists of the release. Rejects when the machine's sources name no mirror of Debian. */
  static async open(suite: string, directory: string): Promise<DebianSuite> {
    const mirror = process.env.GANTRY_DEBIAN_MIRROR ?? (await debianMirror());
    await mkdir(join(directory, 'lists/partial'), { recursive: true });
    await mkdir(join(directory, 'cache/archives/partial'), { recursive: true });
    await writeFile(join(directory, 'status'), '');
    const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
    await writeFile(join(directory, 'sources.list'), `deb [signed-by=${keys}] ${mirror} ${suite} main\n`);
    const opened = new DebianSuite(directory);
    await runProgram('apt-get', [...opened.#options, '-qq', 'update']);
    return opened;
  }

  /** The package that a package without content stands for: the newest kernel for `linux-image-amd64`. */
  async dependencyOf(name: string): Promise<string> {
    const text = await runProgram('apt-cache', [...this.#options, 'depends', '--important', name]);
    const found = /^\s*Depends: (\S+)/m.exec(text)?.[1];
    if (found === undefined) throw new Error(`${name} depends on no package`);
    return found;
  }

  /** Unpacks a package into a directory, without its scripts. */
  async unpack(name: string, target: string): Promise<void> {
    await mkdir(target, { recursive: true });
    const archives = join(target, '..', 'archives');
    await mkdir(archives, { recursive: true });
    await runProgram('apt-get', [...this.#options, '-qq', 'download', name], archives);
    const [file = ''] = (await runProgram('find', [archives, '-name', `${name}_*.deb`])).split('\n');
    await runProgram('dpkg', ['-x', file, target]);
    await runProgram('rm', ['-r', archives]);
  }
}

async function debianMirror(): Promise<string> {
  const format = ['--format', '$(REPO_URI) $(LABEL)'];
  const lines = (await runProgram('apt-get', ['indextargets', ...format, 'Created-By: Packages'])).split('\n');
  const mirror = lines.map((line) => line.split(' ')).find(([, ...label]) => label.join(' ') === 'Debian')?.[0];
  if (mirror === undefined) {
    throw new Error(
      'the apt sources of this machine name no mirror of Debian, or its lists were never read (apt-get update): ' +
        'GANTRY_DEBIAN_MIRROR names one',
    );
  }
  return mirror;
}
