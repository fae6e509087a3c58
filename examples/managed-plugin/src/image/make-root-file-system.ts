import { copyFile, cp, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Makes the plugin's files in an empty directory: the program, the runtime that runs it with its libraries, busybox. */
export async function makeRootFileSystem(directory: string): Promise<void> {
  for (const empty of ['bin', 'data', 'dev', 'etc', 'proc', 'run/docker/plugins', 'run/docker/logging', 'sys', 'tmp']) {
    await mkdir(path.join(directory, empty), { recursive: true });
  }
  await copyFile(process.execPath, path.join(directory, 'node'));
  await copyFile('/bin/busybox', path.join(directory, 'bin/busybox'));
  for (const library of await libraries()) {
    const target = path.join(directory, path.dirname(library));
    await mkdir(target, { recursive: true });
    for (const name of await namesOf(library)) await copyFile(library, path.join(target, name));
  }
  await cp(fileURLToPath(new URL('../', import.meta.url)), path.join(directory, 'app'), { recursive: true });
  await writeFile(path.join(directory, 'app/package.json'), '{"type":"module"}');
}

/** The libraries of the runtime are those this very process has loaded, and the loader that finds them. */
async function libraries(): Promise<ReadonlySet<string>> {
  const maps = await readFile('/proc/self/maps', 'utf8');
  const loaded = maps.split('\n').flatMap((line) => /(\/\S+\.so[.\d]*)$/.exec(line)?.[1] ?? []);
  const own = [...loaded].filter((file) => !file.includes('node_modules'));
  const executable = (await readFile(process.execPath)).subarray(0, 4096).toString('latin1');
  const loader = executable.split(String.fromCharCode(0)).find((text) => /^\/lib.*\/ld-[\w.-]+$/.test(text));
  return new Set([...own, ...(loader === undefined ? [] : [loader])]);
}

/** A library is asked for by a shorter name than the file has, which is a link beside it. */
async function namesOf(file: string): Promise<readonly string[]> {
  const beside = (await readdir(path.dirname(file))).filter((name) => name.includes('.so'));
  const targets = await Promise.all(beside.map((name) => realpath(path.join(path.dirname(file), name))));
  return [path.basename(file), ...beside.filter((_, index) => targets[index] === file)];
}
