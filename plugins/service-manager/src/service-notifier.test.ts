import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/core/plugin';
import type { Datagrams } from '@gantry/lib-linux/datagrams';
import test from 'ava';
import { ServiceNotifier } from './service-notifier.js';
import { readSettings } from './service-settings.js';

/** A notifier, what it sent, and what it logged. */
function fixture(watchdog?: number, connect?: Datagrams['connect']) {
  const sent: string[] = [];
  const warnings: unknown[] = [];
  const datagrams: Datagrams = {
    connect:
      connect ?? (() => ({ send: async (bytes: Uint8Array) => void sent.push(`${Buffer.from(bytes)}`) }) as never),
  };
  const close = () => undefined;
  const closing: Datagrams = { connect: (path) => ({ ...datagrams.connect(path), close }) };
  const log = { warn: (facts: unknown) => void warnings.push(facts) } as unknown as Logger;
  return { notifier: new ServiceNotifier({ socket: '/run/notify', watchdog }, closing, log), sent, warnings };
}

test('systemd learns that the engine is ready, reloads and stops', async (t) => {
  const { notifier, sent } = fixture();
  await notifier.ready();
  notifier.reloadBegins();
  notifier.reloadEnds();
  await notifier.drain();
  await notifier.stop();
  t.deepEqual(
    sent.map((text) => text.split('\n')[0]),
    ['READY=1', 'RELOADING=1', 'READY=1', 'STOPPING=1'],
  );
  t.regex(sent[1] ?? '', /\nMONOTONIC_USEC=\d+$/);
});

test('a watchdog hears from the engine until it stops', async (t) => {
  const { notifier, sent } = fixture(10);
  await notifier.ready();
  // The timer keeps no process alive, so the test has to.
  while (sent.filter((text) => text === 'WATCHDOG=1').length < 2) await delay(5);
  await notifier.stop();
  const count = sent.length;
  await delay(30);
  t.is(sent.length, count);
});

test('a service manager that has gone is logged, and the engine goes on', async (t) => {
  const { notifier, warnings } = fixture(undefined, () => {
    throw new Error('ECONNREFUSED');
  });
  await notifier.ready();
  t.like(warnings[0], { event: 'service-manager.unreachable', socket: '/run/notify' });
});

test('only the process that is to be watched is', (t) => {
  t.is(readSettings({}, 5), undefined);
  t.deepEqual(readSettings({ NOTIFY_SOCKET: '/n' }, 5), { socket: '/n', watchdog: undefined });
  const watched = { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '30000000', WATCHDOG_PID: '5' };
  t.deepEqual(readSettings(watched, 5), { socket: '@n', watchdog: 30_000 });
  t.is(readSettings(watched, 6)?.watchdog, undefined);
});
