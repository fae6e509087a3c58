import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@gantry/test-nodes';
import type Docker from 'dockerode';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';
import { run } from './run.js';

const directory = '/data/served';

/** A volume of another file system is written by one container and read by the next one. */
async function writeAndRead(client: Docker, type: string, device: string, o: string): Promise<void> {
  const volume = { Name: `${type}-volume`, Driver: 'local', DriverOpts: { type, device, o } };
  await client.createVolume(volume);
  // In the host's network: ksmbd of Linux 6.1 closes its socket at `lo` when the `lo` of any other namespace goes down.
  const mounted = { HostConfig: { NetworkMode: 'host', Binds: [`${volume.Name}:/there`] } };
  const shown = 'stat -f -c %T /there; cat /there/present; echo written > /there/new';
  assert.match(await outputOf(client, shown, mounted), /^(nfs|cifs|smb2|UNKNOWN|0x[0-9a-f]+)\r?\npresent$/i);
  assert.equal(await outputOf(client, 'cat /there/new', mounted), 'written');
  assert.equal(readFileSync(join(directory, 'new'), 'utf8'), 'written\n');
  assert.doesNotMatch(
    readFileSync('/proc/mounts', 'utf8'),
    new RegExp(volume.Name),
    'unmounted with its last container',
  );
  await client.getVolume(volume.Name).remove();
}

/** A data root on the server, where overlayfs is refused. */
async function refuseOverlays(): Promise<void> {
  // Not by every guest: these modules take seconds in emulation.
  const [{ default: archive }, { openDriver }, { default: overlayfs }] = await Promise.all([
    import('@gantry/archive-worker-threads'),
    import('@gantry/conformance'),
    import('@gantry/storage-overlayfs'),
  ]);
  const mounted = '/data/mounted';
  const root = join(mounted, 'root');
  mkdirSync(mounted);
  run('mount', '-t', 'nfs4', '-o', 'vers=4.2,soft', '127.0.0.1:/', mounted);
  try {
    await assert.rejects(
      openDriver(overlayfs, { root, requires: [archive] }),
      /overlayfs cannot be used on .* \(nfs\): network file systems do not support .*; move the data root to ext4 or XFS/,
    );
  } finally {
    run('umount', mounted);
  }
}

/** States of the TCP sockets at a port, as the kernel numbers them: 0A listens, 06 only waits for late packets. */
function socketStates(port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = '', , state = '']) => (local.endsWith(suffix) ? [state] : []));
}

function serve(): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'present'), 'present\n');
}

/** Volumes of file servers, which run in the guest as well. */
export function remoteVolumesTests({ daemon }: DaemonUnderTest): void {
  test('a volume of an NFS server', needs.nfs, async () => {
    serve();
    mkdirSync('/var/lib/nfs/v4recovery', { recursive: true });
    for (const file of ['etab', 'rmtab', 'xtab']) writeFileSync(`/var/lib/nfs/${file}`, '');
    run('modprobe', 'nfsd');
    run('mount', '-t', 'nfsd', 'nfsd', '/proc/fs/nfsd');
    for (const time of ['nfsv4leasetime', 'nfsv4gracetime']) writeFileSync(`/proc/fs/nfsd/${time}`, '10');
    writeFileSync('/etc/exports', '');
    // The root of what is exported: that of the guest is an overlay, which cannot be.
    run('exportfs', '-o', 'rw,no_root_squash,no_subtree_check,insecure,fsid=0', `127.0.0.1:${directory}`);
    run('rpc.nfsd', '--no-nfs-version', '3', '--no-udp', '2');
    const answers = spawn('rpc.mountd', ['--foreground', '--no-nfs-version', '3'], { stdio: 'inherit' });
    try {
      await writeAndRead(daemon().client, 'nfs', ':/', 'addr=127.0.0.1,nfsvers=4.2,soft');
      await refuseOverlays();
    } finally {
      run('rpc.nfsd', '0');
      answers.kill();
      run('exportfs', '-ua');
      run('umount', '/proc/fs/nfsd');
    }
  });

  test('a volume of an SMB server', needs.smb, async () => {
    serve();
    run('modprobe', 'ksmbd');
    mkdirSync('/etc/ksmbd', { recursive: true });
    writeFileSync('/etc/ksmbd/ksmbd.conf', `[global]\n\n[served]\npath = ${directory}\nread only = no\n`);
    run('ksmbd.adduser', '--add-user=root', '--password=secret');
    const answers = spawn('ksmbd.mountd', ['--nodetach'], { stdio: 'inherit' });
    try {
      await eventually('the server listens', async () => socketStates(445).includes('0A'));
      const o = 'addr=localhost,username=root,password=secret,vers=3.0,ro';
      await assert.rejects(
        writeAndRead(daemon().client, 'cifs', '//127.0.0.1/absent', o),
        /no such file or directory/i,
      );
      await daemon().client.getVolume('cifs-volume').remove({ force: true });
      // The server takes one connection of an address, and ends that of the refused mount when its client has gone.
      await eventually('the first connection has ended', async () => {
        const states = socketStates(445);
        return states.includes('0A') && states.every((state) => ['0A', '06'].includes(state));
      });
      await writeAndRead(daemon().client, 'cifs', '//127.0.0.1/served', o.replace(',ro', ''));
    } finally {
      run('ksmbd.control', '--shutdown');
      answers.kill();
    }
  });
}
