import type { ContainerCreateBody } from 'gantry-client';
import { containerBody } from './container-body.js';
import type { RunCommand } from './parse-run.js';
import { UsageError } from './usage-error.js';

const pulls = ['missing', 'always', 'never'] as const;

/** What a command line comes to, before any of it is done. */
export interface RunPlan {
  readonly image: string;
  readonly body: ContainerCreateBody;
  readonly name: string | undefined;
  readonly platform: string | undefined;
  readonly pull: (typeof pulls)[number];
  readonly isQuiet: boolean;
  readonly isInteractive: boolean;
  readonly hasTerminal: boolean;
  /** Whether the container is kept when it has exited. */
  readonly isKept: boolean;
}

/** @throws UsageError naming flag and value. */
export function planRun(run: RunCommand): RunPlan {
  const asked = run.text('pull') ?? 'missing';
  const pull = pulls.find((each) => each === asked);
  if (pull === undefined) throw new UsageError(`--pull: "${asked}" is not missing, always or never`);
  return {
    image: run.image,
    body: containerBody(run),
    name: run.text('name'),
    platform: run.text('platform'),
    pull,
    isQuiet: run.has('quiet'),
    isInteractive: run.has('interactive'),
    hasTerminal: run.has('tty'),
    isKept: run.text('rm') !== undefined && !run.has('rm'),
  };
}
