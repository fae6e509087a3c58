import { setTimeout as delay } from 'node:timers/promises';
import { usageOf } from '@gantry/test-nodes';
import type { MeasuredEngine } from '../engines/measured-engine.js';
import { settledMemory } from './process-usage.js';

const mostSeconds = 300;

/** What the start of a killed daemon costs, and how long it takes until everything is there again. */
export async function measureRestart(
  measured: MeasuredEngine,
  isThere: () => Promise<boolean>,
): Promise<Record<string, number>> {
  if (measured.restart === undefined) return {};
  const began = performance.now();
  const start = await measured.restart();
  const cpu = usageOf(measured.pid).cpuSeconds * 1000;
  while (!(await isThere())) {
    if (performance.now() - began > mostSeconds * 1000) throw new Error('not everything is there after a restart');
    await delay(20);
  }
  const whole = performance.now() - began;
  return {
    'killed until it answers ms': start,
    '– processor time ms': cpu,
    'killed until everything is listed ms': whole,
    'memory after a start MiB': (await settledMemory(measured)).anonymous,
  };
}
