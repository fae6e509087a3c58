import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger } from '@gantry/core/driver';
import type { LaunchedProcess, Launcher } from '@gantry/lib-linux/launcher';
import test from 'ava';
import { EtcdProcess } from './etcd-process.js';

test('an etcd that cannot be started is tried again, with the configuration of its first start', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-etcd-process-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const inTheWay = join(directory, 'sockets');
  writeFileSync(inTheWay, ''); // as on a full disk, nothing can be made there
  const configurations: Record<string, unknown>[] = [];
  const launcher = {
    launch: async ({ args }: { args: readonly string[] }): Promise<LaunchedProcess> => {
      configurations.push(JSON.parse(readFileSync(args.at(-1) ?? '', 'utf8')));
      return { pid: 1, exited: Promise.resolve({ code: 1, signal: undefined }), kill() {}, unref() {} };
    },
  } as unknown as Launcher;
  const failures: string[] = [];
  const log = { ...silentLogger, error: (facts: { exit: string }) => void failures.push(facts.exit) };
  const etcd = new EtcdProcess({
    program: 'etcd',
    memberName: 'm1',
    members: ['m1'],
    isJoining: false,
    dataDirectory: join(directory, 'data'),
    socketDirectory: join(inTheWay, 'of-etcd'),
    quotaBytes: 2 ** 30,
    electionTimeout: 1000,
    launcher,
    log: log as never,
  });
  etcd.start({ 'force-new-cluster': true });
  while (failures.length === 0) await delay(5);
  t.regex(failures[0] ?? '', /ENOTDIR/);
  rmSync(inTheWay);
  while (configurations.length < 2) await delay(5);
  await etcd.stop();
  t.deepEqual(
    configurations.slice(0, 2).map((each) => each['force-new-cluster']),
    [true, undefined],
  );
});
