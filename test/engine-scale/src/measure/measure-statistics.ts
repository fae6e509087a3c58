import { setTimeout as delay } from 'node:timers/promises';
import { concurrently } from '@gantry/bench';
import { usageOf } from '@gantry/test-nodes';
import type { MeasuredEngine } from '../engines/measured-engine.js';

const seconds = 10;
const opened = 16;

/** Streams of statistics of all running containers at once, after the first reading of each. */
export async function measureStatistics({ engine, pid, streams }: MeasuredEngine): Promise<Record<string, number>> {
  const running = await engine.ask<readonly { readonly Id: string }[]>('GET', '/containers/json');
  let readings = 0;
  const bodies: { destroy(): void }[] = [];
  try {
    await concurrently(running, opened, async ({ Id }) => {
      const body = await streams.open('GET', `/containers/${Id}/stats`);
      body.on('error', () => undefined);
      body.setEncoding('utf8').on('data', (text: string) => {
        readings += text.split('"read":').length - 1;
      });
      bodies.push(body);
    });
    await delay(2000);
    const [before, cpu] = [readings, usageOf(pid).cpuSeconds];
    await delay(seconds * 1000);
    return {
      'statistics followed, readings of each per second': (readings - before) / seconds / running.length,
      'statistics followed, processor time of each, ms per second':
        ((usageOf(pid).cpuSeconds - cpu) * 1000) / seconds / running.length,
    };
  } finally {
    for (const body of bodies) body.destroy();
  }
}
