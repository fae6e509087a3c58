import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Clients that only Debian's unstable suite has in their newest versions, with the C library that they are linked to. */
const newest = ['docker-cli', 'docker-buildx', 'docker-compose', 'python3-docker', 'libc6'];

/** Large packages of the host's own suite, of which only a part is used. */
const own = ['ansible', 'prometheus'];

/** Where the docker CLI finds its plugins, below the root. */
const plugins = 'config/cli-plugins';

/** Clients of Debian, unpacked in a directory of their own. */
export interface DebianClients {
  /** Contains `docker`. */
  readonly programs: string;
  /** For `DOCKER_CONFIG`: with buildx and compose as plugins of `docker`. */
  readonly dockerConfig: string;
  /** For `PYTHONPATH`: docker-py. */
  readonly python: string;
  /** For `ANSIBLE_COLLECTIONS_PATH`. */
  readonly collections: string;
  readonly prometheus: string;
}

/** Downloads and unpacks what is not there yet. Nothing is installed on the host. */
export async function debianClients(directory: string): Promise<DebianClients> {
  const root = path.join(directory, 'root');
  // Directories of earlier versions of this file lack it.
  const isThere = await access(path.join(root, plugins, 'docker-buildx')).then(
    () => true,
    () => false,
  );
  if (!isThere) await unpackAll(directory, root);
  return {
    programs: path.join(root, 'wrappers'),
    dockerConfig: path.join(root, 'config'),
    python: path.join(root, 'newest/usr/lib/python3/dist-packages'),
    collections: path.join(root, 'own/usr/lib/python3/dist-packages'),
    prometheus: path.join(root, 'own/usr/bin/prometheus'),
  };
}

/** `root` appears once it is complete. */
async function unpackAll(directory: string, root: string): Promise<void> {
  const unfinished = `${root}.unfinished`;
  await rm(directory, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const options = await unstableOptions(path.join(directory, 'apt'));
  await run('apt-get', ['-qq', ...options, 'update']);
  await unpack(newest, path.join(unfinished, 'newest'), options);
  await unpack(own, path.join(unfinished, 'own'), []);
  await writeWrappers(unfinished, root);
  await rm(path.join(directory, 'apt'), { recursive: true });
  await rename(unfinished, root);
}

/** Options by which apt knows the unstable suite of this host's mirror, and nothing of the host's packages. */
async function unstableOptions(state: string): Promise<readonly string[]> {
  await mkdir(path.join(state, 'lists/partial'), { recursive: true });
  await mkdir(path.join(state, 'cache/archives/partial'), { recursive: true });
  await writeFile(path.join(state, 'status'), '');
  const format = ['--format', '$(ORIGIN) $(REPO_URI)', 'Created-By: Packages'];
  const { stdout } = await run('apt-get', ['indextargets', ...format]);
  const mirror = /^Debian (\S+)$/m.exec(stdout)?.[1] ?? 'http://deb.debian.org/debian/';
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  await writeFile(path.join(state, 'sources.list'), `deb [signed-by=${keys}] ${mirror} sid main\n`);
  const settings = {
    'Dir::Etc::sourcelist': path.join(state, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::State::lists': path.join(state, 'lists'),
    'Dir::State::status': path.join(state, 'status'),
    'Dir::Cache': path.join(state, 'cache'),
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

async function unpack(packages: readonly string[], target: string, options: readonly string[]): Promise<void> {
  const archives = `${target}.archives`;
  await mkdir(archives);
  await run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', ...options, 'download', ...packages], {
    cwd: archives,
  });
  for (const archive of await readdir(archives)) await run('dpkg', ['-x', path.join(archives, archive), target]);
  await rm(archives, { recursive: true });
}

/** The programs start by the loader of their own suite: this host's C library may be older. */
async function writeWrappers(unfinished: string, root: string): Promise<void> {
  const { stdout } = await run('find', [
    path.join(unfinished, 'newest'),
    '-type',
    'f',
    '-name',
    'ld-linux*.so.*',
    '-print',
    '-quit',
  ]);
  const loader = stdout.trim().replace(unfinished, root);
  const wrap = async (file: string, program: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    const words = [loader, '--library-path', path.dirname(loader), path.join(root, 'newest', program)];
    await writeFile(file, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
    await chmod(file, 0o755);
  };
  await wrap(path.join(unfinished, 'wrappers/docker'), 'usr/bin/docker');
  for (const plugin of ['docker-buildx', 'docker-compose'])
    await wrap(path.join(unfinished, plugins, plugin), path.join('usr/libexec/docker/cli-plugins', plugin));
}
