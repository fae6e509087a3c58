import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { delegationOf, inScope } from './delegated-cgroup.js';

/** A tree of files like that of version 2, with processes in one group. */
function tree(t: ExecutionContext, pids: string): { readonly root: string; readonly group: string } {
  const root = mkdtempSync(join(tmpdir(), 'gantry-cgroup-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  const group = join(root, 'user.slice/scope');
  mkdirSync(group, { recursive: true });
  writeFileSync(join(root, 'cgroup.controllers'), 'memory pids\n');
  writeFileSync(join(group, 'cgroup.procs'), pids);
  writeFileSync(join(group, 'cgroup.subtree_control'), '');
  return { root, group };
}

const text = '0::/user.slice/scope\n';

test('a cgroup of version 2 that the user may write to, and that nothing else is in, is delegated', (t) => {
  const { root, group } = tree(t, '12\n');
  t.deepEqual(delegationOf({ text, root, env: {}, own: [12] }), { kind: 'own', directory: group });
});

test('a user with a systemd takes a scope of it, whatever the cgroup is, and then uses that', (t) => {
  const { root, group } = tree(t, '12\n');
  const runtime = mkdtempSync(join(tmpdir(), 'gantry-runtime-'));
  t.teardown(() => rmSync(runtime, { recursive: true }));
  const env = { XDG_RUNTIME_DIR: runtime };
  t.is(delegationOf({ text, root, env, own: [12, 13] }).kind, 'own');
  mkdirSync(join(runtime, 'systemd/private'), { recursive: true });
  t.is(delegationOf({ text, root, env, own: [12] }).kind, 'scope');
  t.is(delegationOf({ text: '0::/absent\n', root, env, own: [12] }).kind, 'scope');
  const inside = { ...env, GANTRY_ROOTLESS_SCOPE: '1' };
  t.deepEqual(delegationOf({ text, root, env: inside, own: [12] }), { kind: 'own', directory: group });
  t.is(delegationOf({ text, root, env: inside, own: [13] }).kind, 'none', 'with another process in it');
  t.is(inScope(['node', 'x']).slice(-3).join(' '), '-- node x');
});

test('controllers of version 1 cannot be delegated', (t) => {
  const { root } = tree(t, '12\n');
  t.is(delegationOf({ text: `4:memory:/x\n${text}`, root, env: {}, own: [12] }).kind, 'none');
  t.is(delegationOf({ text: `1:name=systemd:/x\n${text}`, root, env: {}, own: [12] }).kind, 'own');
});
