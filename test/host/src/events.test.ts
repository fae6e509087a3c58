import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Daemon, eventually, startDaemon } from '@gantry/test-nodes';
import test from 'ava';

interface PublishedEvent {
  readonly Type: string;
  readonly Action: string;
  readonly Actor: { readonly ID: string; readonly Attributes: Readonly<Record<string, string>> };
  readonly timeNano: number;
  /** The digits that a number does not hold. */
  readonly nanoseconds: string;
}

/** Events between two times, each in seconds with nine decimals. */
async function events({ client }: Daemon, since: string, until: string): Promise<readonly PublishedEvent[]> {
  const stream = await client.getEvents({ since: since as never, until: until as never });
  const lines = (await text(stream as never)).trim().split('\n').filter(Boolean);
  return lines.map((line) => ({ ...JSON.parse(line), nanoseconds: /"timeNano":(\d+)/.exec(line)?.[1] ?? '' }));
}

const seconds = (nanoseconds: string): string => `${nanoseconds.slice(0, -9)}.${nanoseconds.slice(-9)}`;

test.serial('events survive restarts and crashes, and since and until are exact to the nanosecond', async (t) => {
  const daemon = await startDaemon(t);
  const container = await daemon.client.createContainer({
    name: 'first',
    Image: 'busybox',
    Cmd: ['true'],
    Labels: { colour: 'blue' },
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  await container.wait();
  await container.rename({ name: 'second' });
  // Asked for, it is on the disk.
  await events(daemon, '0', String(Math.ceil(Date.now() / 1000)));
  await daemon.crash();
  await daemon.restart();
  await container.remove();
  await daemon.restart();
  const now = String(Math.ceil(Date.now() / 1000));
  const all = (await events(daemon, '0', now)).filter(({ Actor }) => Actor.ID === container.id);
  t.deepEqual(
    all.map(({ Action }) => Action),
    ['create', 'start', 'die', 'rename', 'destroy'],
  );
  t.like(all[2]?.Actor.Attributes, { exitCode: '0', colour: 'blue', image: 'busybox', name: 'first' });
  t.like(all[3]?.Actor.Attributes, { oldName: '/first', name: 'second' });
  const [first, second, third] = all.map(({ nanoseconds }) => nanoseconds) as [string, string, string];
  const between = await events(daemon, seconds(first), seconds(third));
  t.deepEqual(
    between.filter(({ Actor }) => Actor.ID === container.id).map(({ nanoseconds }) => nanoseconds),
    [first, second, third],
  );
  const next = seconds(String(BigInt(first) + 1n));
  const before = seconds(String(BigInt(third) - 1n));
  const inside = await events(daemon, next, before);
  t.deepEqual(
    inside.filter(({ Actor }) => Actor.ID === container.id).map(({ nanoseconds }) => nanoseconds),
    [second],
  );
});

test.serial('a stalled reader delays nothing, and gets the number of lost events', async (t) => {
  const daemon = await startDaemon(t);
  const container = await daemon.client.createContainer({
    Image: 'busybox',
    Cmd: ['true'],
    Labels: { long: 'x'.repeat(20_000) },
    HostConfig: { NetworkMode: 'none' },
  });
  const slow = connect(daemon.socket);
  slow.write('GET /v1.24/events HTTP/1.1\r\nHost: engine\r\n\r\n');
  slow.pause();
  await eventually('a listener', async () => (await daemon.client.info()).NEventsListener === 1);
  const count = 4500; // more than the queue and the socket's buffers hold
  const began = performance.now();
  for (let done = 0; done < count; done += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => container.rename({ name: `name-${done + index}` })));
  }
  t.log(`${count} renames in ${Math.round(performance.now() - began)} ms`);
  let seen = '';
  slow.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk.replaceAll(/x{100,}/g, '');
  });
  slow.resume();
  // The gap notice comes when the reader has caught up.
  await eventually('the loss', () => seen.includes('"lost"'));
  await container.rename({ name: 'the-last' });
  await eventually('the last name', () => seen.includes('"the-last"'));
  slow.destroy();
  const lost = [...seen.matchAll(/"lost":"(\d+)"/g)].reduce((sum, [, digits]) => sum + Number(digits), 0);
  const received = seen.match(/"Action":"rename"/g)?.length ?? 0;
  t.true(lost > 0);
  t.is(received + lost, count + 1);
});
