import type { Update } from '@gantry/host';

interface Loss {
  /** Acknowledged updates that the register does not have any more. */
  readonly lost: number;
  readonly contradictions: readonly string[];
}

/**
 * What became of a register when the swarm goes on from one of its managers. That has every update up to one that it was
 * the last to receive, so what is missing may only be the newest: nothing that was acknowledged before `earliest`, and
 * nothing that a kept update has followed.
 */
export function lostUpdates(updates: readonly Update[], values: readonly string[], earliest: number): Loss {
  const kept = new Set(values);
  const acknowledged = updates.filter(({ outcome }) => outcome === 'acknowledged');
  const lost = acknowledged.filter(({ value }) => !kept.has(value));
  const newest = Math.max(...acknowledged.filter(({ value }) => kept.has(value)).map(({ version }) => version));
  const contradictions: string[] = [];
  for (const { at, value, version } of lost) {
    if (at < earliest) contradictions.push(`${value} was acknowledged ${earliest - at} ms too early to be lost`);
    if (version < newest) contradictions.push(`${value} is lost, and a later update is not`);
  }
  for (const { outcome, value } of updates) {
    if (outcome === 'refused' && kept.has(value)) contradictions.push(`${value} was refused, and is there`);
  }
  return { lost: lost.length, contradictions };
}
