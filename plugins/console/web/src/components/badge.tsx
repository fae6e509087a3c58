import { Text } from './text';

type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

const tones: Readonly<Record<string, Tone>> = {
  running: 'good',
  healthy: 'good',
  ready: 'good',
  ok: 'good',
  active: 'good',
  enabled: 'good',
  reachable: 'good',
  complete: 'good',
  completed: 'good',
  exited: 'plain',
  created: 'plain',
  shutdown: 'plain',
  disabled: 'plain',
  paused: 'warn',
  pause: 'warn',
  drain: 'warn',
  skipped: 'warn',
  warning: 'warn',
  unhealthy: 'bad',
  problem: 'bad',
  unavailable: 'bad',
  dead: 'bad',
  failed: 'bad',
  rejected: 'bad',
  down: 'bad',
  orphaned: 'bad',
  unreachable: 'bad',
};

/** A state as a word with a colour; the word alone says everything. */
export function StateBadge({ state }: { readonly state: string }) {
  return (
    <span class={`badge ${tones[state.toLowerCase()] ?? 'busy'}`}>
      <Text value={state} limit={40} />
    </span>
  );
}
