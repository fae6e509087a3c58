import { AppendRegister, Application } from '@gantry/host';
import { eventually, leaderOf, ownProgram, type SwarmNode, startManagers } from '@gantry/test-nodes';
import { runChecked } from '../run-checked.js';
import { buildRevision } from './build-revision.js';

/**
 * Upgrades a swarm of another revision node by node, and then takes a manager back to it. Resolves to whether nothing was
 * violated.
 */
export async function runUpgrade(from: string, report: (line: string) => void): Promise<boolean> {
  return runChecked(report, async ({ scope, violate }) => {
    const { commit, program } = await buildRevision(scope, from);
    report(`from ${commit}`);
    const { engines, managers, workers } = await startManagers(scope, 3, 2, { program });
    const application = await Application.deploy(engines, managers);
    const [first, ...rest] = managers as [SwarmNode, ...SwarmNode[]];
    const register = await AppendRegister.start(scope, [first, ...rest]);
    const sound = async (what: string): Promise<void> => {
      try {
        report(`${what}: sound after ${await application.untilSound()} ms`);
      } catch (error) {
        violate(`${what}: ${(error as Error).message}`);
      }
    };
    const lead = async (candidates: readonly SwarmNode[], version: string): Promise<void> => {
      await untilOneLeads(managers, candidates);
      await sound(`a manager of the ${version} version leads`);
    };
    const upgraded: SwarmNode[] = [];
    for (const manager of managers) {
      await manager.daemon.restart({ program: ownProgram });
      upgraded.push(manager);
      await sound(`manager ${upgraded.length} of ${managers.length} upgraded`);
      await lead(upgraded, 'newer');
      const older = managers.filter((each) => !upgraded.includes(each));
      if (older.length > 0) await lead(older, 'older');
    }
    for (const worker of workers) {
      await worker.daemon.restart({ program: ownProgram });
      await sound(`worker ${workers.indexOf(worker) + 1} of ${workers.length} upgraded`);
    }
    const leader = await leaderOf(managers, first);
    const back = managers.find((manager) => manager !== leader) ?? first;
    const logged = back.daemon.log().length;
    await back.daemon.restart({ program });
    await sound('a manager taken back to the older version');
    const refusal = refusalIn(back.daemon.log().slice(logged));
    report(refusal === undefined ? 'it takes part: its records have one format' : `it says: ${refusal}`);
    await back.daemon.restart({ program: ownProgram });
    await sound('the same manager upgraded again');
    for (const line of await register.finish(first)) violate(line);
    report(`${register.acknowledged} updates acknowledged, ${register.unknown} with an unknown outcome`);
  });
}

/** Kills leaders until one of the candidates leads. */
async function untilOneLeads(managers: readonly SwarmNode[], candidates: readonly SwarmNode[]): Promise<void> {
  const asked = (without?: SwarmNode): SwarmNode => managers.find((each) => each !== without) as SwarmNode;
  for (let leader = await leaderOf(managers, asked()); !candidates.includes(leader); ) {
    const dead = leader;
    await dead.daemon.crash();
    leader = await eventually('another leader', async () => {
      const found = await leaderOf(managers, asked(dead));
      return found !== dead && found;
    });
    await dead.daemon.restart();
  }
}

/** What a manager wrote of records that it does not know. */
const refusalIn = (log: string): string | undefined => /the records of the swarm have format [^"]+/.exec(log)?.[0];
