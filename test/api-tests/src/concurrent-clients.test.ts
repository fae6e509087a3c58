import type { Answer } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { type ApiEngine, startApi } from './testing/start-engine.js';

/**
 * Eight clients act at random on the same names. Each keeps a model of what it has made: no other client changes or removes
 * that, so every answer and, at the end, every object must be as the model says. What two of them must never both get is
 * a name.
 */

const clients = 8;
const stepsPerClient = 60;
const names = ['red', 'green', 'blue'];

/** Numbers below a limit, the same for the same seed (mulberry32). */
function numbersOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface OwnContainer {
  readonly id: string;
  readonly volume: string;
  name: string;
  running: boolean;
  readonly networks: Set<string>;
  readonly execs: Set<string>;
}

/** What one client has made and no other one changes. */
class Model {
  readonly containers = new Map<string, OwnContainer>();
  /** Name by id. */
  readonly networks = new Map<string, string>();
  readonly tags = new Set<string>();
}

class RandomClient {
  readonly model = new Model();

  constructor(
    private readonly t: ExecutionContext,
    private readonly api: ApiEngine,
    private readonly number: number,
    private readonly random: (below: number) => number,
  ) {}

  async run(): Promise<void> {
    const steps = [
      () => this.#createContainer(),
      () => this.#createContainer(),
      () => this.#startOrStop(),
      () => this.#rename(),
      () => this.#removeContainer(),
      () => this.#exec(),
      () => this.#createNetwork(),
      () => this.#removeNetwork(),
      () => this.#connect(),
      () => this.#disconnect(),
      () => this.#removeVolume(),
      () => this.#tag(),
      () => this.#untag(),
      () => this.#listsHaveNoDuplicates(),
    ];
    for (let step = 0; step < stepsPerClient; step += 1) await this.#one(steps)?.();
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[this.random(list.length)];
  }

  #name(): string {
    return this.#one(names) ?? '';
  }

  #own(): OwnContainer | undefined {
    return this.#one([...this.model.containers.values()]);
  }

  /** Sends a request. @returns its answer, whose status must be among those expected. */
  async #ask(expected: readonly number[], method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.api.ask(method, path, body === undefined ? {} : { body });
    const what = `client ${this.number}: ${method} ${path}: ${answer.status} ${answer.text}`;
    if (!expected.includes(answer.status)) this.t.fail(what);
    return answer;
  }

  /** The name leads to what this client has just given it to. */
  async #holds(path: string, id: string): Promise<void> {
    const answer = await this.#ask([200], 'GET', path);
    this.t.is(answer.json<{ Id: string }>().Id, id, `client ${this.number}: ${path} is another's`);
  }

  async #createContainer(): Promise<void> {
    const name = this.#name();
    const volume = `vol-${this.#name()}`;
    const link = this.#own();
    const links = link?.running && this.random(2) === 0 ? { Links: [`${link.name}:other`] } : {};
    const body = { Image: 'busybox', Cmd: ['sleep', '300'], HostConfig: { Binds: [`${volume}:/d`], ...links } };
    const answer = await this.#ask([201, 409], 'POST', `/containers/create?name=${name}`, body);
    if (answer.status !== 201) return;
    const { Id: id } = answer.json<{ Id: string }>();
    this.model.containers.set(id, {
      id,
      name,
      volume,
      running: false,
      networks: new Set(['bridge']),
      execs: new Set(),
    });
    await this.#holds(`/containers/${name}/json`, id);
    await this.#ask([200], 'GET', `/volumes/${volume}`);
  }

  async #startOrStop(): Promise<void> {
    const own = this.#own();
    if (own === undefined) return;
    if (own.running) await this.#ask([204], 'POST', `/containers/${own.id}/kill`);
    // A link to one that does not run any more, or a network that another client has removed.
    else if ((await this.#ask([204, 404, 500], 'POST', `/containers/${own.id}/start`)).status !== 204) return;
    own.running = !own.running;
    own.execs.clear();
    if (!own.running) await this.#ask([200], 'POST', `/containers/${own.id}/wait`);
  }

  async #rename(): Promise<void> {
    const own = this.#own();
    const name = this.#name();
    if (own === undefined || own.name === name) return;
    const answer = await this.#ask([204, 409], 'POST', `/containers/${own.id}/rename?name=${name}`);
    if (answer.status === 204) own.name = name;
    await this.#holds(`/containers/${own.name}/json`, own.id);
  }

  async #removeContainer(): Promise<void> {
    const own = this.#own();
    if (own === undefined) return;
    await this.#ask([204], 'DELETE', `/containers/${own.id}?force=1`);
    this.model.containers.delete(own.id);
    await this.#ask([404], 'GET', `/containers/${own.id}/json`);
  }

  async #exec(): Promise<void> {
    const own = this.#own();
    if (own === undefined) return;
    const body = { Cmd: ['sleep', '300'] };
    const answer = await this.#ask([own.running ? 201 : 409], 'POST', `/containers/${own.id}/exec`, body);
    if (answer.status !== 201) return;
    const { Id: id } = answer.json<{ Id: string }>();
    own.execs.add(id);
    // One of two starts at the same time is the start.
    const starts = await Promise.all(
      [1, 2].map(() => this.#ask([200, 409], 'POST', `/exec/${id}/start`, { Detach: true })),
    );
    this.t.deepEqual(starts.map(({ status }) => status).sort(), [200, 409]);
  }

  async #createNetwork(): Promise<void> {
    const name = `net-${this.#name()}`;
    const answer = await this.#ask([201, 409], 'POST', '/networks/create', { Name: name, CheckDuplicate: true });
    if (answer.status !== 201) return;
    const { Id: id } = answer.json<{ Id: string }>();
    this.model.networks.set(id, name);
    await this.#holds(`/networks/${name}`, id);
  }

  async #removeNetwork(): Promise<void> {
    const id = this.#one([...this.model.networks.keys()]);
    if (id === undefined) return;
    // 403: running containers are on it.
    const { status } = await this.#ask([204, 403], 'DELETE', `/networks/${id}`);
    if (status === 204) this.model.networks.delete(id);
  }

  async #connect(): Promise<void> {
    const own = this.#own();
    const network = `net-${this.#name()}`;
    if (own === undefined) return;
    // 404, and 500 at the driver: the network of another client that removes it meanwhile. 403: it is on it already.
    const body = { Container: own.id };
    const { status } = await this.#ask([200, 403, 404, 500], 'POST', `/networks/${network}/connect`, body);
    if (status === 200) own.networks.add(network);
  }

  async #disconnect(): Promise<void> {
    const own = this.#own();
    const network = this.#one([...(own?.networks ?? [])]);
    if (own === undefined || network === undefined || network === 'bridge') return;
    // 500: another network of this name than the one it is on.
    const body = { Container: own.id };
    const { status } = await this.#ask([200, 404, 500], 'POST', `/networks/${network}/disconnect`, body);
    if (status === 200) own.networks.delete(network);
  }

  async #removeVolume(): Promise<void> {
    // Never one that a container of this client names.
    const used = new Set([...this.model.containers.values()].map(({ volume }) => volume));
    const volume = `vol-${this.#name()}`;
    await this.#ask(used.has(volume) ? [409] : [204, 404, 409], 'DELETE', `/volumes/${volume}`);
  }

  async #tag(): Promise<void> {
    const tag = `${this.#name()}-${this.number}`;
    await this.#ask([201], 'POST', `/images/busybox/tag?repo=shared&tag=${tag}`);
    this.model.tags.add(`shared:${tag}`);
  }

  async #untag(): Promise<void> {
    const tag = this.#one([...this.model.tags]);
    if (tag === undefined) return;
    await this.#ask([200], 'DELETE', `/images/${tag}`);
    this.model.tags.delete(tag);
  }

  async #listsHaveNoDuplicates(): Promise<void> {
    const containers = (await this.#ask([200], 'GET', '/containers/json?all=1')).json<{ Names: string[] }[]>();
    const networks = (await this.#ask([200], 'GET', '/networks')).json<{ Name: string }[]>();
    for (const list of [containers.map(({ Names }) => Names[0]), networks.map(({ Name }) => Name)]) {
      this.t.is(new Set(list).size, list.length, `two of one name: ${list.join(', ')}`);
    }
  }
}

for (const seed of [1, 2, 3]) {
  test(`random clients at once get what their models say (seed ${seed})`, async (t) => {
    const api = await startApi(t);
    const all = Array.from({ length: clients }, (_, number) => {
      return new RandomClient(t, api, number, numbersOf(seed * 1000 + number));
    });
    await Promise.all(all.map((client) => client.run()));
    await everythingIsAsModelled(
      t,
      api,
      all.map(({ model }) => model),
    );
    t.pass();
  });
}

async function everythingIsAsModelled(t: ExecutionContext, api: ApiEngine, models: readonly Model[]): Promise<void> {
  const own = models.flatMap(({ containers }) => [...containers.values()]);
  const listed = (await api.get('/containers/json?all=1')).json<{ Id: string; Names: string[]; State: string }[]>();
  const shown = (id: string, name: string, running: boolean) => `${id} ${name} ${running}`;
  t.deepEqual(
    listed.map(({ Id, Names, State }) => shown(Id, (Names[0] ?? '').slice(1), State === 'running')).sort(),
    own.map(({ id, name, running }) => shown(id, name, running)).sort(),
  );
  for (const { id, volume, execs, running } of own) {
    const { ExecIDs } = await api.inspect(id);
    t.deepEqual([...(ExecIDs ?? [])].sort(), running ? [...execs].sort() : []);
    t.is((await api.delete(`/volumes/${volume}`)).status, 409);
  }
  const networks = (await api.get('/networks')).json<{ Id: string; Name: string }[]>();
  t.deepEqual(
    networks
      .filter(({ Name }) => Name.startsWith('net-'))
      .map(({ Id, Name }) => `${Id} ${Name}`)
      .sort(),
    models.flatMap((model) => [...model.networks].map(([id, name]) => `${id} ${name}`)).sort(),
  );
  const tags = (await api.get('/images/json')).json<{ RepoTags: string[] }[]>().flatMap(({ RepoTags }) => RepoTags);
  t.deepEqual(
    tags.filter((tag) => tag.startsWith('shared:')).sort(),
    models.flatMap((model) => [...model.tags]).sort(),
  );
}
