import { type Logger, Mutex, type Timer } from '@gantry/core/driver';
import type { AgentSession, TaskReport } from '@gantry/services/service';

/** Milliseconds in which states are collected before they are reported together, and after a report that failed. */
const collectTime = 25;
const retryTime = 1_000;

/** Reports the states of a node's tasks, of each the newest, several at once. A failed report is repeated. */
export class StatusReporter {
  readonly #waiting = new Map<string, TaskReport>();
  readonly #mutex = new Mutex();
  #cancel: (() => void) | undefined;

  constructor(
    private readonly session: AgentSession,
    private readonly timer: Timer,
    private readonly log: Logger,
  ) {}

  report(report: TaskReport): void {
    this.#waiting.set(report.taskId, report);
    this.#schedule(collectTime);
  }

  /** Resolves once everything collected so far was reported, or could not be. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#mutex.run(async () => {
      const reports = [...this.#waiting.values()];
      if (reports.length === 0) return;
      this.#waiting.clear();
      try {
        await this.session.report(reports);
      } catch (error) {
        this.log.warn({ event: 'agent.report-failed', tasks: reports.length, err: error }, 'failed to report tasks');
        for (const report of reports) if (!this.#waiting.has(report.taskId)) this.#waiting.set(report.taskId, report);
        if (!this.session.signal.aborted) this.#schedule(retryTime);
      }
    });
  }

  #schedule(milliseconds: number): void {
    this.#cancel ??= this.timer.after(milliseconds, () => {
      this.#cancel = undefined;
      void this.flush();
    });
  }
}
