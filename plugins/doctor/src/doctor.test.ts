import type { FindService } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import type { Report } from './finding.js';
import { forwardChainsIn } from './host/read-firewall.js';
import { parseModules, parseOptions } from './host/read-kernel.js';
import doctor from './index.js';

const start = (t: TestOwner, left: Set<string> = new Set()) => {
  const findOrphans = async () =>
    [...left].map((name) => ({ what: 'layer', name, reason: 'nothing needs it', remove: async () => undefined }));
  const messy = definePlugin({ id: 'messy', configSchema: Type.Object({}), setup: () => ({ findOrphans }) });
  return startEngine(t, [engineApi, state, messy, doctor], {});
};

const makePort: FindService = (point) => {
  if (point.fallback === undefined) throw new Error(point.name);
  return point.fallback(makePort);
};

type Engine = Awaited<ReturnType<typeof start>>;

async function run(engine: Engine, ...args: readonly string[]) {
  const lines: string[] = [];
  const output = engine.kernel.commands().get('doctor')?.(args)[Symbol.asyncIterator]();
  for (;;) {
    const next = await output?.next();
    if (next === undefined || next.done) return { lines, exitCode: next?.value ?? undefined };
    lines.push(next.value);
  }
}

test('this host is examined by the route and by the command, as text and as JSON', async (t) => {
  const engine = await start(t);
  const answer = await engine.ask('GET', '/doctor');
  t.is(answer.status, 200);
  const report = JSON.parse(answer.text) as Report;
  t.true(report.daemon);
  const levelOf = (id: string) => report.findings.find((finding) => finding.id === id)?.level;
  t.is(levelOf('programs.conmon'), 'ok');
  t.is(levelOf('programs.runtime'), 'ok');
  t.is(levelOf('kernel.namespaces'), 'ok');
  t.is(levelOf('storage.writable'), 'ok');
  t.is(levelOf('engine.packages'), 'ok');
  t.regex(report.findings.find(({ id }) => id === 'programs.runtime')?.found ?? '', /(?:crun|runc): \/\S+, \d+\.\d/);

  const json = await run(engine, '--json');
  t.deepEqual(
    (JSON.parse(json.lines.join('\n')) as Report).findings.map(({ id }) => id),
    report.findings.map(({ id }) => id),
  );
  const text = await run(engine);
  t.is(text.exitCode, report.level === 'problem' ? 1 : 0);
  for (const { found, id } of report.findings.filter(({ id }) => id.startsWith('programs.'))) {
    t.true(
      text.lines.some((line) => line.includes(` ${id} `) && line.endsWith(found)),
      id,
    );
  }
  t.regex(text.lines.at(-1) ?? '', /^\d+ problems?, \d+ warnings?, \d+ ok$/);
  await t.throwsAsync(run(engine, '--loudly'), { message: 'gantryd doctor: unknown argument "--loudly"; see --help' });
  t.regex((await run(engine, '--help')).lines.join('\n'), /^usage: gantryd doctor/);
});

test('without a daemon the command examines the host alone', async (t) => {
  const settings = { engine: { dataRoot: '/var/lib/gantry', execRoot: '/run/gantry' }, packages: {} };
  const lines: string[] = [];
  for await (const line of doctor.offlineCommands?.doctor?.([], {
    settings,
    configFile: undefined,
    isDaemonRunning: false,
    dataRoot: '/var/lib/gantry',
    port: makePort,
    driver: () => Promise.reject(new Error('no driver is needed')),
    ask: () => {
      throw new Error('no daemon is asked');
    },
  }) ?? [])
    lines.push(line);
  t.regex(lines.at(-1) ?? '', /^No daemon runs; /);
  t.true(lines.some((line) => line.includes('kernel.version')));
  t.false(lines.some((line) => line.includes('engine.orphans')));
});

test('when orphans were found last is remembered', async (t) => {
  const left = new Set(['a']);
  const engine = await start(t, left);
  const orphans = async () => {
    const { findings } = JSON.parse((await engine.ask('GET', '/doctor')).text) as Report;
    return findings.find(({ id }) => id === 'engine.orphans');
  };
  t.like(await orphans(), { level: 'warning', found: 'layer a of messy' });
  left.clear();
  t.like(await orphans(), { level: 'ok', found: 'none now; the last ones were found just now' });
});

test('options and modules of the kernel are read from its files', (t) => {
  const text = 'CONFIG_VXLAN=m\n# CONFIG_SCTP is not set\nCONFIG_VETH=y\nCONFIG_HZ=250\nCONFIG_LSM="x"\n';
  t.deepEqual(
    [...parseOptions(text)],
    [
      ['VXLAN', 'm'],
      ['VETH', 'y'],
    ],
  );
  const modules =
    'kernel/fs/overlayfs/overlay.ko.xz: kernel/a.ko\nkernel/net/nf-tables.ko:\nkernel/drivers/net/veth.ko\n';
  t.deepEqual([...parseModules(modules)], ['overlay', 'nf_tables', 'veth']);
});

test('chains of the forward hook are found among others', (t) => {
  const chains = [
    { chain: { family: 'ip', table: 'filter', name: 'FORWARD', type: 'filter', hook: 'forward', policy: 'drop' } },
    { chain: { family: 'ip', table: 'filter', name: 'INPUT', type: 'filter', hook: 'input', policy: 'drop' } },
    { chain: { family: 'inet', table: 'x', name: 'own' } },
    { chain: { family: 'inet', table: 'x', name: 'forward', hook: 'forward', policy: 'accept' } },
  ];
  t.deepEqual(forwardChainsIn(JSON.stringify({ nftables: [{ metainfo: {} }, ...chains] })), [
    { family: 'ip', table: 'filter', drops: true },
    { family: 'inet', table: 'x', drops: false },
  ]);
});
