import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { getAttribute } from '../files/extended-attributes.js';
import { kernelSELinux, parseContexts } from './kernel-selinux.js';

async function freshDirectory(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-selinux-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const contextOf = (path: string) => getAttribute(path, 'security.selinux')?.toString();

test('the contexts of containers are read from the policy', (t) => {
  const [process, file] = ['system_u:system_r:container_t:s0', 'system_u:object_r:container_file_t:s0'];
  const text = `process = "${process}"\ncontent = "system_u:object_r:virt_var_lib_t:s0"\nfile = "${file}"\n`;
  t.deepEqual(parseContexts(text), { process, file, image: file });
  t.is(
    parseContexts(`${text}ro_file = "system_u:object_r:container_ro_file_t:s0"\n`)?.image,
    `system_u:object_r:container_ro_file_t:s0`,
  );
  t.is(parseContexts('process = "system_u:system_r:container_t:s0"\n'), undefined);
});

// Contexts are attributes of files that the kernel keeps also where SELinux is off.
test('relabelling covers everything in a directory, and follows no link out of it', async (t) => {
  const directory = await freshDirectory(t);
  const [tree, outside] = [join(directory, 'tree'), join(directory, 'outside')];
  await mkdir(join(tree, 'below'), { recursive: true });
  await writeFile(join(tree, 'below/file'), '');
  await writeFile(outside, '');
  await symlink(outside, join(tree, 'link'));
  const context = 'system_u:object_r:container_file_t:s0:c1,c2';
  await kernelSELinux.relabel(tree, context);
  for (const path of [tree, join(tree, 'below'), join(tree, 'below/file'), join(tree, 'link')]) {
    t.is(contextOf(path), `${context}\0`, path);
  }
  t.not(contextOf(outside), `${context}\0`);
});

test('a directory that was relabelled once is complete, and one that was not is relabelled', async (t) => {
  const directory = await freshDirectory(t);
  const file = join(directory, 'file');
  await writeFile(file, '');
  const [first, second] = ['system_u:object_r:first_t:s0', 'system_u:object_r:second_t:s0'];
  await kernelSELinux.relabelOnce(directory, first);
  t.deepEqual([directory, file].map(contextOf), [`${first}\0`, `${first}\0`]);
  await kernelSELinux.relabel(file, second);
  await kernelSELinux.relabelOnce(directory, first);
  t.is(contextOf(file), `${second}\0`);
});
