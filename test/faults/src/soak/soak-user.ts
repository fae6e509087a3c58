import { imageArchive } from '@gantry/host';
import { type Answer, ask, isDone } from '../ask.js';
import type { ContainerDetails, Created } from '../wire.js';
import type { Random } from './random.js';

/** What was acknowledged of a thing; `unknown` once a call on it was not. */
type Known = 'absent' | 'created' | 'running' | 'paused' | 'exited' | 'there' | 'unknown';

interface Move {
  readonly method: string;
  readonly target: (name: string) => string;
  readonly body?: object | Buffer;
  readonly from: readonly Known[];
  readonly to: Known;
}

const name = (index: number, what: string): string => `soak-${what}-${index}`;

const container: readonly Move[] = [
  {
    method: 'POST',
    target: (own) => `/containers/create?name=${own}`,
    body: { Image: 'busybox', Cmd: ['sh', '-c', 'trap "exit 3" TERM; echo here; while :; do sleep 0.2; done'] },
    from: ['absent'],
    to: 'created',
  },
  move('POST', (own) => `/containers/${own}/start`, ['created', 'exited'], 'running'),
  move('POST', (own) => `/containers/${own}/stop?t=3`, ['running'], 'exited'),
  move('POST', (own) => `/containers/${own}/kill`, ['running', 'paused'], 'exited'),
  move('POST', (own) => `/containers/${own}/restart?t=3`, ['running'], 'running'),
  move('POST', (own) => `/containers/${own}/pause`, ['running'], 'paused'),
  move('POST', (own) => `/containers/${own}/unpause`, ['paused'], 'running'),
  move('GET', (own) => `/containers/${own}/logs?stdout=1`, ['running', 'exited', 'created'], 'unknown'),
  move('GET', (own) => `/containers/${own}/stats?stream=0`, ['running'], 'running'),
  move('POST', (own) => `/commit?container=${own}&repo=${own}&tag=1`, ['running'], 'running'),
  move('DELETE', (own) => `/images/${own}:1`, ['running', 'exited'], 'unknown'),
  move('DELETE', (own) => `/containers/${own}?force=1&v=1`, ['created', 'running', 'paused', 'exited'], 'absent'),
];

const volume: readonly Move[] = [
  { ...move('POST', () => '/volumes/create', ['absent'], 'there') },
  move('DELETE', (own) => `/volumes/${own}`, ['there'], 'absent'),
];

const network: readonly Move[] = [
  move('POST', () => '/networks/create', ['absent'], 'there'),
  move('DELETE', (own) => `/networks/${own}`, ['there'], 'absent'),
];

function move(method: string, target: Move['target'], from: readonly Known[], to: Known): Move {
  return { method, target, from, to };
}

/** One client with a container, a volume and a network of its own, which does things at random, one after the other. */
export class SoakUser {
  readonly #known = new Map<string, Known>();
  readonly #refusals: string[] = [];
  /** Calls that were answered. */
  calls = 0;

  constructor(
    private readonly socket: string,
    private readonly index: number,
    private readonly random: Random,
  ) {}

  /** What was answered with an error although nothing stood in its way. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /** One call. Resolves to false when the daemon did not answer it. */
  async step(): Promise<boolean> {
    if (this.random.below(6) === 0) return this.#look();
    const [what, moves] = this.random.one([
      ['container', container],
      ['container', container],
      ['container', container],
      ['volume', volume],
      ['network', network],
    ] as const);
    const own = name(this.index, what);
    const known = await this.#find(own, what);
    if (known === undefined) return false;
    const possible = moves.filter(({ from }) => from.includes(known));
    if (possible.length === 0) return true;
    const chosen = this.random.one(possible);
    const body = chosen.body ?? (chosen.target(own).endsWith('s/create') ? { Name: own } : undefined);
    const answer = await ask(this.socket, chosen.method, chosen.target(own), body === undefined ? {} : { body });
    return this.#take(own, chosen, known, answer);
  }

  /** What an answered call has led to, and the daemon does not know; empty when it knows everything. */
  async lost(): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const [own, known] of this.#known) {
      if (known === 'unknown') continue;
      const what = own.split('-')[1] ?? '';
      const now = await this.#ask(own, what);
      if (now !== known) wrong.push(`${own} was ${known}, and is ${now}`);
    }
    return wrong;
  }

  #take(own: string, { method, target, to }: Move, before: Known, answer: Answer | undefined): boolean {
    if (answer === undefined) {
      this.#known.set(own, 'unknown');
      return false;
    }
    this.calls += 1;
    const isLook = to === 'unknown';
    if (!isDone(answer) && !isLook) {
      this.#refusals.push(
        `${method} ${target(own)} of one that is ${before}: ${answer.status} ${answer.text.slice(0, 300)}`,
      );
    }
    this.#known.set(own, isDone(answer) && !isLook ? to : isLook ? before : 'unknown');
    return true;
  }

  /** As it is known, or as the daemon says where a call was not answered. */
  async #find(own: string, what: string): Promise<Known | undefined> {
    const known = this.#known.get(own) ?? 'unknown';
    return known === 'unknown' ? this.#ask(own, what) : known;
  }

  async #ask(own: string, what: string): Promise<Known | undefined> {
    const target = what === 'container' ? `/containers/${own}/json` : `/${what}s/${own}`;
    const answer = await ask(this.socket, 'GET', target);
    if (answer === undefined) return undefined;
    if (answer.status === 404) return 'absent';
    if (what !== 'container') return 'there';
    return (JSON.parse(answer.text) as ContainerDetails).State.Status as Known;
  }

  async #look(): Promise<boolean> {
    const own = name(this.index, 'container');
    const looks = [
      () => ask(this.socket, 'GET', '/containers/json?all=1'),
      () => ask(this.socket, 'GET', '/images/json'),
      () => ask(this.socket, 'GET', '/info'),
      () => ask(this.socket, 'POST', '/images/load', { body: imageArchive }),
      () => ask(this.socket, 'DELETE', '/images/web:1'),
      async () => {
        const created = await ask(this.socket, 'POST', `/containers/${own}/exec`, { body: { Cmd: ['true'] } });
        if (created?.status !== 201) return created;
        const { Id } = JSON.parse(created.text) as Created;
        return ask(this.socket, 'POST', `/exec/${Id}/start`, { body: { Detach: false } });
      },
    ];
    const answer = await this.random.one(looks)();
    if (answer !== undefined) this.calls += 1;
    return answer !== undefined;
  }
}
