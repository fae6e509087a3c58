import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { plainContainer } from '@gantry/lib-log/testing';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { spoolName } from '../spool/spool-files.js';
import { SpoolWriter } from '../testing/spool-writer.js';
import { WorkerPump } from './worker-pump.js';

const line = (number: number) => `2026-01-01T00:00:00.${String(number).padStart(9, '0')}Z stdout F line ${number}\n`;

async function open(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-pump-'));
  const reports: string[] = [];
  const logged: string[] = [];
  const spool = path.join(directory, spoolName(1n));
  const origin = {
    module: new URL('../testing/worker-log.js', import.meta.url).href,
    export: 'workerLog',
    config: {},
    dirs: { root: directory, state: directory },
  };
  const writer = new SpoolWriter(spool);
  const owner = {
    rotate: () => writer.rotate(),
    report: (_id: string, event: string) => void reports.push(event),
    log: (level: string, { event, driver }: Readonly<Record<string, unknown>>, words: string) =>
      void logged.push(`${level} ${driver} ${event}: ${words}`),
  };
  const pump = new WorkerPump(() => origin, owner, { rotateAt: 200, backlog: 0 });
  t.teardown(async () => {
    await pump.close();
    await rm(directory, { recursive: true, force: true });
  });
  const container = plainContainer(directory);
  const written = () => readFile(path.join(directory, 'fake.log'), 'utf8').catch(() => '');
  return { append: (text: string) => writer.append(text), container, directory, logged, pump, reports, spool, written };
}

test('the worker moves lines, rotates spools and answers when it has caught up', async (t) => {
  const { append, container, pump, spool, written } = await open(t);
  await writeFile(spool, '');
  pump.open({ container, driver: 'fake', spool });
  let expected = '';
  for (let number = 0; number < 6; number++) {
    expected += line(number);
    await append(line(number));
    await pump.caughtUp('c');
    t.is(await written(), expected);
  }
  pump.finish('c');
  await pump.caughtUp('c');
  await pump.drop('c');
  await pump.caughtUp('unknown');
});

test('a worker that dies is restarted and continues from the stored position', async (t) => {
  const { append, container, pump, reports, spool, written } = await open(t);
  await writeFile(spool, line(0));
  pump.open({ container, driver: 'fake', spool });
  await pump.caughtUp('c');
  await pump.crash();
  await append(line(1));
  await eventually('the second line', async () => (await written()) === line(0) + line(1));
  t.deepEqual(reports, []);
});

test('a call that comes before the next worker has started is answered when all lines are consumed', async (t) => {
  const { container, pump, spool, written } = await open(t);
  await writeFile(spool, line(0));
  pump.open({ container, driver: 'fake', spool });
  // It dies so early that the next one is started only after a while.
  await pump.crash();
  await setImmediate();
  await pump.caughtUp('c');
  t.is(await written(), line(0));
});

test('a worker that died is not restarted when the pump is closed meanwhile', async (t) => {
  const { container, pump, spool } = await open(t);
  await writeFile(spool, line(0));
  pump.open({ container, driver: 'fake', spool });
  await pump.caughtUp('c');
  await pump.crash();
  const pending = pump.caughtUp('c');
  await pump.close();
  await pending;
  await pump.caughtUp('c');
  t.pass();
});

test('a prepared worker creates the driver before a container needs it', async (t) => {
  const { container, directory, pump, spool, written } = await open(t);
  await writeFile(spool, line(1));
  pump.prepare('fake');
  pump.prepare('fake');
  await eventually('the driver', () => existsSync(path.join(directory, 'made')));
  pump.open({ container, driver: 'fake', spool });
  await pump.caughtUp('c');
  t.is(await written(), line(1));
});

test('an idle hook starts no worker, and a worker continues after it', async (t) => {
  const { append, container, pump, spool, written } = await open(t);
  pump.onIdle();
  await writeFile(spool, line(1));
  pump.open({ container, driver: 'fake', spool });
  await pump.caughtUp('c');
  pump.onIdle();
  await append(line(2));
  await pump.caughtUp('c');
  t.is(await written(), line(1) + line(2));
});

test('a call to a worker that dies is answered by the next one, with all lines consumed', async (t) => {
  const { append, container, pump, spool, written } = await open(t);
  await writeFile(spool, line(0));
  pump.open({ container, driver: 'fake', spool });
  await pump.caughtUp('c');
  let all = line(0);
  for (let number = 1; number < 20; number++) {
    all += line(number);
    await append(line(number));
  }
  pump.finish('c');
  const caughtUp = pump.caughtUp('c');
  await pump.crash();
  await caughtUp;
  // A batch without a stored position is written again: this sink stores none.
  const once = async (): Promise<string> => [...new Set((await written()).split('\n'))].join('\n');
  t.is(await once(), all);
  // The end of the run survives the worker.
  await pump.caughtUp('c');
  await pump.drop('c');
  t.is(await once(), all);
});

test('log lines of a driver in the worker reach the main thread', async (t) => {
  const { logged, pump } = await open(t);
  pump.prepare('fake');
  await eventually('the line', () => logged.length > 0);
  t.deepEqual(logged, ['info log/fake test.created: created in a worker']);
});
