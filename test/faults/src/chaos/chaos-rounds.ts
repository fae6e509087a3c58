import { setTimeout as delay } from 'node:timers/promises';
import { Application } from '@gantry/host';
import { rolesOf, type Scope } from '@gantry/test-nodes';
import type { Random } from '../soak/random.js';
import { faultGroups, lostQuorum } from './chaos-faults.js';
import { type ChaosSwarm, startChaosSwarm } from './chaos-swarm.js';
import type { EndOfFault } from './fault.js';
import { loseQuorum } from './lost-managers.js';
import { Registers } from './registers.js';

/** What a round found. */
interface Round {
  /** Updates that were acknowledged while the faults lasted. */
  readonly meanwhile: number;
  /** Milliseconds from their end until everything worked. Undefined when it did not in time. */
  readonly soundAfter: number | undefined;
  readonly violations: readonly string[];
}

/** How long everything may take to work again after a round, in milliseconds. */
const soundLimit = 180_000;

/** A request that is never answered must not keep the run waiting. */
async function inTime(end: Promise<void>): Promise<void> {
  const limit = delay(soundLimit, undefined, { ref: false }).then(() => {
    throw new Error(`not within ${soundLimit / 1000} s`);
  });
  await Promise.race([end, limit]);
}

const faults = Object.assign({}, ...Object.values(faultGroups)) as (typeof faultGroups)[string];

/** A swarm with an application and clients, on which one round of faults follows another. */
export class ChaosRounds {
  private constructor(
    readonly swarm: ChaosSwarm,
    readonly registers: Registers,
    private readonly application: Application,
    private readonly random: Random,
  ) {}

  static async start(scope: Scope, random: Random, workerCount: number): Promise<ChaosRounds> {
    const swarm = await startChaosSwarm(scope, workerCount);
    const application = await Application.deploy(swarm.engines, swarm.managers);
    return new ChaosRounds(swarm, new Registers(scope, swarm.managers), application, random);
  }

  /** Makes the faults, all at once, and ends them after so many milliseconds. */
  async run(names: readonly string[], milliseconds: number): Promise<Round> {
    const violations: string[] = [];
    await this.registers.begin();
    await delay(1_000); // some updates before the faults
    const before = this.registers.updates.length;
    const lostAt = names.includes(lostQuorum) ? await this.#loseQuorum(milliseconds, violations) : undefined;
    if (lostAt === undefined) await this.#makeFaults(names, milliseconds, violations);
    const meanwhile = this.registers.updates.slice(before).filter(({ outcome }) => outcome === 'acknowledged').length;
    const soundAfter = await this.#untilSound(violations);
    // A swarm that does not work says nothing of its registers.
    if (soundAfter !== undefined) {
      violations.push(
        ...(await (lostAt === undefined ? this.registers.settle() : this.registers.settleAfterLoss(lostAt))),
      );
    }
    return { meanwhile, soundAfter, violations };
  }

  async #makeFaults(names: readonly string[], milliseconds: number, violations: string[]): Promise<void> {
    const { random, swarm } = this;
    const roles = await rolesOf(swarm.managers, swarm.workers);
    const context = { swarm, roles, random, violate: (what: string) => void violations.push(what) };
    const ends: EndOfFault[] = [];
    const fail = (name: string) => (error: Error) => void violations.push(`${name}: ${error.message}`);
    await Promise.all(
      names.map((name) => faults[name]?.(context).then((end) => void ends.push(end), fail(`begin of ${name}`))),
    );
    await delay(milliseconds);
    await Promise.all(ends.map((end) => inTime(end()).catch(fail(`end of ${names.join(' and ')}`))));
  }

  /** Resolves to when it was lost. */
  async #loseQuorum(milliseconds: number, violations: string[]): Promise<number> {
    const at = Date.now();
    const { recover } = await loseQuorum(this.swarm, this.random);
    await delay(milliseconds);
    await this.registers.pause();
    await recover().catch((error: Error) => void violations.push(`recovery of the quorum: ${error.message}`));
    return at;
  }

  async #untilSound(violations: string[]): Promise<number | undefined> {
    const began = performance.now();
    for (;;) {
      try {
        await this.application.untilSound();
        return Math.round(performance.now() - began);
      } catch (error) {
        if (performance.now() - began < soundLimit) continue;
        violations.push((error as Error).message);
        return undefined;
      }
    }
  }
}
