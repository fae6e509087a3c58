import { execFile } from 'node:child_process';
import { copyFile, link, mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { identityMappings } from '@gantry/core/contracts';
import test, { type ExecutionContext } from 'ava';
import { readHostCapabilities } from '../host/read-host-capabilities.js';
import type { ContainerRecord } from '../record.js';
import { hostWith } from '../testing/configuration-fixture.js';
import { buildSpec } from './build-spec.js';

const run = promisify(execFile);
let made = 0;
const cgroupParent = `/gantry-spec-${process.pid}`;

test.after.always('no control group remains', async () => {
  const controllers = await readdir('/sys/fs/cgroup');
  await Promise.all(
    controllers.map((name) => rmdir(path.join('/sys/fs/cgroup', name, cgroupParent)).catch(() => undefined)),
  );
});

/** Runs a shell line in a container of the real runtime and resolves to what it printed. Needs root, runc and busybox. */
async function runWith(t: ExecutionContext, line: string, change: Partial<ContainerRecord> = {}): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-spec-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const rootfs = path.join(directory, 'rootfs');
  for (const name of ['bin', 'etc', 'proc', 'sys', 'dev', 'tmp', 'root'])
    await mkdir(path.join(rootfs, name), { recursive: true });
  await copyFile('/bin/busybox', path.join(rootfs, 'bin/busybox'));
  for (const name of ['sh', 'cat', 'id', 'hostname', 'grep', 'mount', 'ls', 'env', 'touch', 'pwd']) {
    await link(path.join(rootfs, 'bin/busybox'), path.join(rootfs, 'bin', name));
  }
  await writeFile(path.join(rootfs, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nann:x:1000:100::/tmp:/bin/sh\n');
  made += 1;
  const id = `gantry-spec-${process.pid}-${made}`;
  const record = {
    id,
    name: 'x',
    path: 'sh',
    args: ['-c', line],
    config: { Hostname: 'spechost', WorkingDir: '/tmp', Env: ['A=b'], ...change.config },
    hostConfig: { ...change.hostConfig },
    mounts: change.mounts ?? [],
  } as unknown as ContainerRecord;
  const spec = await buildSpec(
    {
      record,
      rootfs,
      mounts: (change.mounts ?? []).map((mount) => ({ mount, hostPath: undefined })),
      networkNamespace: undefined,
      userNamespace: undefined,
      files: undefined,
      links: [],
      containers: { get: () => record },
    },
    {
      host: { ...hostWith(), capabilities: await readHostCapabilities() },
      cgroupParent,
      initPath: '/usr/bin/tini-static',
      idMappings: identityMappings,
    },
  );
  await writeFile(path.join(directory, 'config.json'), JSON.stringify(spec));
  const { stdout } = await run('runc', ['run', '--bundle', directory, id]);
  return stdout;
}

test.serial('a container has its hostname, directory, environment and user', async (t) => {
  const out = await runWith(t, 'hostname; pwd; echo $A $HOME; id -u', { config: { User: 'ann' } } as never);
  t.is(out, 'spechost\n/tmp\nb /tmp\n1000\n');
});

test.serial('an empty HOME is the home of the user', async (t) => {
  const config = { User: 'ann', Env: ['HOME='] };
  t.is(await runWith(t, 'echo $HOME', { config } as never), '/tmp\n');
});

test.serial('the default filter and capabilities are in force', async (t) => {
  const out = await runWith(t, 'grep -E "Seccomp:|CapBnd|NoNewPrivs" /proc/self/status');
  t.regex(out, /Seccomp:\s*2/);
  t.regex(out, /CapBnd:\s*00000000a80425fb/);
  t.regex(out, /NoNewPrivs:\s*0/);
});

test.serial('security options are in force', async (t) => {
  const out = await runWith(t, 'grep -E "Seccomp:|NoNewPrivs" /proc/self/status', {
    hostConfig: { SecurityOpt: ['seccomp=unconfined', 'no-new-privileges'] },
  });
  t.regex(out, /Seccomp:\s*0/);
  t.regex(out, /NoNewPrivs:\s*1/);
});

test.serial('a read-only root refuses writing, and a tmpfs in it does not', async (t) => {
  const tmpfs = {
    type: 'tmpfs',
    source: '',
    destination: '/tt',
    mode: 'size=1m',
    readWrite: true,
    propagation: '',
    anonymous: false,
    copyUp: false,
  } as const;
  const out = await runWith(
    t,
    'touch /x 2>/dev/null || echo refused; touch /tt/x && echo taken; mount | grep " /tt "',
    {
      hostConfig: { ReadonlyRootfs: true },
      mounts: [tmpfs],
    },
  );
  t.regex(out, /^refused\ntaken\n/);
  t.regex(out, /tmpfs.*noexec.*size=1024k/);
});

test.serial('a read-only bind is read-only as deep as it says', async (t) => {
  const source = await mkdtemp(path.join(tmpdir(), 'gantry-spec-'));
  const below = path.join(source, 'below');
  await mkdir(below);
  await run('mount', ['-t', 'tmpfs', 'tmpfs', below]);
  t.teardown(async () => {
    await run('umount', [below]);
    await rm(source, { recursive: true });
  });
  const bind = { type: 'bind', source, mode: '', readWrite: false, propagation: 'rprivate' } as const;
  const rest = { anonymous: false, copyUp: false } as const;
  const touch = (place: string) => `touch ${place} 2>/dev/null && echo ${place} taken || echo ${place} refused`;
  const out = await runWith(t, ['/deep/x', '/deep/below/x', '/flat/below/x'].map(touch).join('; '), {
    mounts: [
      { ...bind, ...rest, destination: '/deep', recursiveReadOnly: true },
      { ...bind, ...rest, destination: '/flat' },
    ],
  });
  t.is(out, '/deep/x refused\n/deep/below/x refused\n/flat/below/x taken\n');
});

test.serial('kernel files are masked or read-only', async (t) => {
  const out = await runWith(
    t,
    'cat /proc/kcore | head -c1; echo x > /proc/sys/kernel/hostname || echo refused; ls /sys/firmware',
  );
  t.regex(out, /refused/);
});
