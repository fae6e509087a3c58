import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Daemon, startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';

/** A daemon on a host without any route, whose resolv.conf has this text. */
async function daemonOn(t: ExecutionContext, resolvConf: string): Promise<Daemon> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-names-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'resolv.conf');
  await writeFile(file, resolvConf);
  const prepare = 'ip link set lo up && mount --bind "$0" /etc/resolv.conf && exec "$@"';
  return startDaemon(t, {
    within: ['unshare', '--net', '--mount', '--propagation', 'private', 'sh', '-c', prepare, file],
  });
}

/** Looks a name up in a container of a user-defined network, several times at once. */
async function lookUp({ client }: Daemon): Promise<number> {
  const network = await client.createNetwork({ Name: 'front' });
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'nslookup example.test & nslookup other.test & wait; exec nslookup example.test'],
    HostConfig: { NetworkMode: 'front' },
  });
  await container.start();
  const { StatusCode: code } = (await container.wait()) as { readonly StatusCode: number };
  await container.remove();
  await network.remove();
  return code;
}

for (const [host, resolvConf] of [
  ['without a route to its name server', 'nameserver 192.0.2.53\n'],
  ['without any name server', ''],
  ['with IPv6 name servers only', 'nameserver 2001:db8::53\nnameserver fe80::53%eth0\n'],
  ['with a name server on its loopback that does not run', 'nameserver 127.0.0.53\nnameserver ::1\n'],
  ['with a name for a name server', 'nameserver dns.example\n'],
] as const) {
  test(`on a host ${host} the lookups of containers fail, and the daemon serves on`, async (t) => {
    t.timeout(300_000);
    const daemon = await daemonOn(t, resolvConf);
    const { pid } = daemon;
    t.not(await lookUp(daemon), 0);
    t.is((await daemon.client.ping()).toString(), 'OK');
    t.is(daemon.pid, pid);
    t.notRegex(daemon.log(), /"event":"daemon\.crashed"/);
  });
}
