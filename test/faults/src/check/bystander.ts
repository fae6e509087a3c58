import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerDetails, Created } from '../wire.js';
import { beginningOf, type World } from '../world.js';

export const bystanderName = 'bystander';

/** A container that runs all the time, with a port, a network and a volume, and writes numbered lines. */
export class Bystander {
  private constructor(
    private readonly world: World,
    private readonly id: string,
    private readonly port: string,
    private readonly process: string,
  ) {}

  static async start(world: World): Promise<Bystander> {
    await world.must('POST', '/networks/create', { Name: 'quiet' });
    // No other process gets this port while the daemon, which reserves it, is down.
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const script =
      'mkdir /www; echo here > /www/index.html; httpd -p 80 -h /www; i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done';
    const { Id } = await world.must<Created>('POST', `/containers/create?name=${bystanderName}`, {
      Image: 'busybox',
      Cmd: ['sh', '-c', script],
      ExposedPorts: { '80/tcp': {} },
      HostConfig: {
        Binds: ['kept:/kept'],
        NetworkMode: 'quiet',
        PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
      },
    });
    await world.must('POST', `/containers/${Id}/start`);
    const { State } = await world.must<ContainerDetails>('GET', `/containers/${Id}/json`);
    return new Bystander(world, Id, String(port), `${State.Pid} ${await beginningOf(State.Pid)}`);
  }

  /** What it has noticed of the daemon's death; empty when nothing. */
  async complaints(): Promise<readonly string[]> {
    const { State, RestartCount } = await this.world.must<ContainerDetails>('GET', `/containers/${this.id}/json`);
    const wrong: string[] = [];
    if (!State.Running || RestartCount > 0) wrong.push(`the bystander is ${State.Status}`);
    const now = await beginningOf(State.Pid).catch(() => 'gone');
    if (`${State.Pid} ${now}` !== this.process)
      wrong.push(`the bystander was ${this.process} and is ${State.Pid} ${now}`);
    if (!(await answersSoon(this.port))) wrong.push(`the bystander does not answer on port ${this.port}`);
    const gap = await this.#gap();
    if (gap !== undefined) wrong.push(gap);
    return wrong;
  }

  async #gap(): Promise<string | undefined> {
    const { text } = (await this.world.ask('GET', `/containers/${this.id}/logs?stdout=1`)) ?? { text: '' };
    // Each line comes behind a header of eight bytes, none of which is a digit.
    const numbers = [...text.matchAll(/(\d+)\n/g)].map(([, digits]) => Number(digits));
    const at = numbers.findIndex((number, index) => number !== index + 1);
    if (numbers.length === 0) return 'the log of the bystander is empty';
    return at < 0 ? undefined : `the log of the bystander goes ${numbers.slice(Math.max(0, at - 2), at + 3).join(' ')}`;
  }
}

async function answersSoon(port: string): Promise<boolean> {
  for (let round = 0; round < 100; round++) {
    if (await answers(port)) return true;
    await delay(20);
  }
  return false;
}

const answers = (port: string): Promise<boolean> =>
  new Promise((resolve) => {
    request({ host: '127.0.0.1', port, agent: false, timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('timeout', () => resolve(false))
      .on('error', () => resolve(false))
      .end();
  });
