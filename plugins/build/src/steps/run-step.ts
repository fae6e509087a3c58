import { ContainerSteps, type CreateBody } from '@gantry/containers/service';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { shortId } from '../contract/build-output.js';
import type { Instruction } from '../file/instruction.js';
import { StepMounts } from '../mounts/step-mounts.js';
import type { BuildSession } from '../session/build-session.js';
import { type StageState, shellOf } from '../stage/stage-state.js';
import type { Step } from './step.js';
import { StepFailed } from './step-failed.js';
import { StepImages } from './step-images.js';

interface Execution {
  readonly imageId: string;
  readonly executed: readonly string[];
  /** The command with what else affects the result. */
  readonly recorded: readonly string[];
  readonly container: Pick<CreateBody, 'Env' | 'HostConfig'>;
  readonly mountPoints: readonly string[];
}

/** RUN: the changes of a program become a layer. */
@injectable()
export class RunStep implements Step {
  constructor(
    @inject(ContainerSteps.token) private readonly containers: ContainerSteps,
    @inject(StepImages) private readonly images: StepImages,
    @inject(StepMounts) private readonly mounts: StepMounts,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async run(session: BuildSession, state: StageState, instruction: Instruction): Promise<void> {
    const { isList, words, flags } = instruction;
    const command = isList ? words : [...shellOf(state), scriptOf(instruction)];
    const network = networkOf(flags.get('network') ?? 'default');
    const planned = await this.mounts.plan(session, state, instruction);
    const { environment, recorded: declared } = session.args.forProgram(state);
    // Values of arguments and mounted content affect the result, so they are part of the cache key.
    const args = [
      ...declared,
      ...planned.map(({ key }) => key),
      ...(network === undefined ? [] : [`--network=${network}`]),
    ];
    const recorded = args.length === 0 ? command : [`|${args.length}`, ...args, ...command];
    if (await this.images.reuse(session, state, recorded)) return;
    if (state.imageId === undefined)
      throw invalidArgument('RUN needs an image to run in: nothing was added to scratch yet');
    session.signal.throwIfAborted();
    const executed = command.length === 0 ? (state.config.Cmd ?? []) : command;
    if (executed.length === 0) throw invalidArgument('No command specified');
    const { imageId } = state;
    await this.mounts.use(session, planned, async (open) => {
      const container = {
        Env: environment,
        HostConfig: {
          ...session.request.limits,
          ...(network !== undefined && { NetworkMode: network }),
          ...(open.mounts.length > 0 && { Mounts: open.mounts }),
        },
      };
      await this.#execute(session, state, { imageId, executed, recorded, container, mountPoints: open.mountPoints });
    });
    await this.images.print(state);
  }

  async #execute(
    session: BuildSession,
    state: StageState,
    { imageId, executed, recorded, container, mountPoints }: Execution,
  ): Promise<void> {
    const body = {
      ...container,
      Image: imageId,
      // An empty name overrides the entrypoint of the image.
      Entrypoint: [''],
      Cmd: executed,
      Healthcheck: { Test: ['NONE'] },
      // Without stdin the program reads end-of-file at once.
      AttachStdout: true,
      AttachStderr: true,
    };
    const id = await this.containers.create(body, undefined, session.judge);
    crashPoint('build.run.created');
    let isComplete = false;
    try {
      await state.output.text(` ---> Running in ${shortId(id)}\n`);
      await this.#runToExit(session, state, id, executed);
      crashPoint('build.run.ended');
      const layer = await this.containers.layer(id, { signal: session.signal, mountPoints });
      const result = { command: recorded, container: id, ...(layer !== undefined && { layer }) };
      await this.images.make(session, state, result);
      crashPoint('build.run.made');
      isComplete = true;
    } finally {
      const { remove, forceRemove } = session.request;
      if (forceRemove || (remove && (isComplete || session.signal.aborted))) {
        session.runInBackground(this.#remove(id));
        await state.output.text(`Removing intermediate container ${shortId(id)}\n`);
      } else {
        // It may have been removed meanwhile; the failure of the step is the one to report.
        await this.containers.keep(id).catch(() => undefined);
      }
    }
  }

  async #runToExit(
    { judge, signal }: BuildSession,
    { output }: StageState,
    id: string,
    command: readonly string[],
  ): Promise<void> {
    const streams = this.containers.output(id);
    const kill = (): void => void this.containers.kill(id).catch(() => undefined);
    try {
      await this.containers.start(id, judge);
      signal.addEventListener('abort', kill, { once: true });
      if (signal.aborted) kill();
      await output.program(streams.chunks);
      const code = await this.containers.wait(id);
      signal.throwIfAborted();
      if (code !== 0) throw new StepFailed(command, code);
    } finally {
      signal.removeEventListener('abort', kill);
      streams.leave();
    }
  }

  async #remove(id: string): Promise<void> {
    await this.containers.remove(id).catch((error: unknown) => {
      const facts = { event: 'build.container-orphaned', container: id, error };
      this.log.warn(facts, 'failed to remove the container of a build step');
    });
  }
}

/** What the shell runs: the line with its heredocs behind it, or a heredoc that stands alone. */
function scriptOf({ rest, heredocs, words }: Instruction): string {
  const [first] = heredocs;
  if (first === undefined) return rest;
  if (words.length === 1 && heredocs.length === 1) {
    if (!first.content.startsWith('#!')) return first.content;
    throw notImplemented(`RUN ${first.word}: a script with an interpreter of its own is not supported by this builder`);
  }
  return [rest, ...heredocs.map(({ written }) => written)].join('\n');
}

/** The network of the step; undefined for that of the build. */
function networkOf(name: string): string | undefined {
  if (name === 'default') return undefined;
  if (name === 'none') return name;
  throw notImplemented(`RUN --network=${name} is not supported by this builder`);
}
