import type { Host } from './host.js';
import type { Step } from './step.js';

/** systemctl for the units of the host, or those of an ordinary user. */
export class UnitControl {
  readonly #scope: readonly string[];

  constructor(
    private readonly host: Host,
    scope: 'system' | 'user',
  ) {
    this.#scope = scope === 'user' ? ['--user'] : [];
  }

  /** Has systemd read its units again, after these steps or one of an earlier installation that was interrupted. */
  reload(units: readonly string[], files: readonly Step[]): Step {
    return this.#step(['daemon-reload'], async () => {
      for (const file of files) if (!(await file.isDone())) return false;
      const args = [...this.#scope, 'show', '--property=NeedDaemonReload', '--value', ...units];
      const stale = await this.host.run('systemctl', ...args);
      return !stale.includes('yes');
    });
  }

  enable(units: readonly string[]): Step {
    return this.#step(['enable', ...units], () => this.#all('is-enabled', units));
  }

  start(units: readonly string[]): Step {
    return this.#step(['start', ...units], () => this.#all('is-active', units));
  }

  /** Also stops them. */
  disable(units: readonly string[]): Step {
    const isGone = async (): Promise<boolean> => {
      const answers = await Promise.all(
        units.flatMap((unit) => [this.#all('is-enabled', [unit]), this.#all('is-active', [unit])]),
      );
      return !answers.includes(true);
    };
    return this.#step(['disable', '--now', ...units], isGone);
  }

  isActive(unit: string): Promise<boolean> {
    return this.#all('is-active', [unit]);
  }

  async #all(question: string, units: readonly string[]): Promise<boolean> {
    for (const unit of units) {
      if (!(await this.host.succeeds('systemctl', ...this.#scope, '--quiet', question, unit))) return false;
    }
    return true;
  }

  #step(args: readonly string[], isDone: () => Promise<boolean>): Step {
    const command = [...this.#scope, ...args];
    return {
      what: ['systemctl', ...command].join(' '),
      isDone,
      carryOut: async () => void (await this.host.run('systemctl', ...command)),
    };
  }
}
