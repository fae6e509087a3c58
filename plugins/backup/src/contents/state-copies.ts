import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type StateDriver, StateDrivers, type VolumeDriver, VolumeDrivers } from '@gantry/core/contracts';
import { type DriverLifecycle, type DriverSet, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { invalidArgument, messageOf, notImplemented } from '@gantry/core/errors';
import { type DaemonState, stateCommand } from './daemon-state.js';

/** What the daemon contributes to a backup that a command makes: a copy of the records, and what is kept elsewhere. */
@injectable()
export class StateCopies implements DriverLifecycle {
  readonly commands = { [stateCommand]: (args: readonly string[]) => this.#answer(args) };
  readonly #directory: string;

  constructor(
    @inject(PackageDirectories) { root }: PackageDirectories,
    @inject(StateDrivers.token) private readonly states: DriverSet<StateDriver>,
    @inject(VolumeDrivers.token) private readonly volumes: DriverSet<VolumeDriver>,
  ) {
    this.#directory = join(root, 'copies');
  }

  /** Deletes the copies of commands that were interrupted. */
  async start(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  async *#answer(args: readonly string[]): AsyncGenerator<string, void> {
    const unknown = args.find((argument) => argument !== '--copy');
    if (unknown !== undefined) throw invalidArgument(`gantryd ${stateCommand}: unknown argument "${unknown}"`);
    const id = this.states.defaultId ?? '';
    const state: DaemonState = { path: `drivers/state-${id}`, elsewhere: await this.#elsewhere() };
    yield JSON.stringify(args.length === 0 ? state : { ...state, directory: await this.#copy(id) });
  }

  async #copy(id: string): Promise<string> {
    const driver = this.states.get(id);
    if (driver.snapshot === undefined) {
      throw notImplemented(`the state driver ${id} cannot be copied while the engine runs: stop the daemon first`);
    }
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const directory = await mkdtemp(join(this.#directory, 'copy-'));
    try {
      await driver.snapshot(directory);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
    if ((await readdir(directory)).length === 0) throw notImplemented(`the state driver ${id} keeps nothing`);
    return directory;
  }

  /** Volumes of drivers that keep them elsewhere. */
  async #elsewhere(): Promise<readonly string[]> {
    const others = [...this.volumes.entries()].filter(([id]) => id !== 'local');
    const found = await Promise.all(
      others.map(async ([id, driver]) => {
        try {
          return (await driver.list()).map(({ name }) => `the content of volume ${name}, which the driver ${id} keeps`);
        } catch (error) {
          return [`the volumes of the driver ${id}, which does not list them: ${messageOf(error)}`];
        }
      }),
    );
    return found.flat();
  }
}
