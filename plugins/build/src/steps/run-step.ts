import { ContainerSteps, type CreateBody } from '@gantry/containers/service';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { forbidden, invalidArgument } from '@gantry/core/errors';
import { shortId } from '@gantry/images/service';
import type { Instruction } from '../file/instruction.js';
import { StepMounts } from '../mounts/step-mounts.js';
import type { BuildSession } from '../session/build-session.js';
import { type StageState, shellOf } from '../stage/stage-state.js';
import { runHistory } from './buildkit-history.js';
import type { Step } from './step.js';
import { StepFailed } from './step-failed.js';
import { StepImages } from './step-images.js';

interface Execution {
  readonly imageId: string;
  readonly executed: readonly string[];
  /** The command with what else affects the result. */
  readonly recorded: readonly string[];
  readonly history: string;
  readonly container: Pick<CreateBody, 'Env' | 'HostConfig'>;
  readonly mountPoints: readonly string[];
  /** Variables that are not stored. */
  readonly unstored: readonly string[];
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
    const script = isList ? undefined : scriptOf(instruction);
    const command = script === undefined ? words : [...shellOf(state), script.recorded];
    const network = networkOf(flags.get('network') ?? 'default', session);
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
    const ownProgram = script?.file === undefined ? undefined : `/dev/pipes/${script.file.name}`;
    const inherited = command.length === 0 ? (state.config.Cmd ?? []) : command;
    const executed = ownProgram === undefined ? inherited : [ownProgram];
    if (executed.length === 0) throw invalidArgument('No command specified');
    const { imageId } = state;
    const history = runHistory(state, command);
    await this.mounts.use(session, planned, async (open) => {
      if (script?.file !== undefined && ownProgram !== undefined) {
        const file = await open.files.write(script.file.content, { mode: 0o555, uid: 0, gid: 0 });
        open.mounts.push({ Type: 'bind', Source: file, Target: ownProgram, ReadOnly: true });
        open.mountPoints.push(ownProgram);
      }
      const container = {
        Env: environment,
        HostConfig: {
          ...session.request.limits,
          ...(network !== undefined && { NetworkMode: network }),
          ...(open.mounts.length > 0 && { Mounts: open.mounts }),
        },
      };
      const { mountPoints, environment: unstored } = open;
      await this.#execute(session, state, { imageId, executed, recorded, history, container, mountPoints, unstored });
    });
    await this.images.print(state);
  }

  async #execute(
    session: BuildSession,
    state: StageState,
    { imageId, executed, recorded, history, container, mountPoints, unstored }: Execution,
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
      await this.#runToExit(session, state, { id, executed, unstored });
      crashPoint('build.run.ended');
      const layer = await this.containers.layer(id, { signal: session.signal, mountPoints });
      const result = { command: recorded, history, container: id, ...(layer !== undefined && { layer }) };
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
    { id, executed, unstored }: Pick<Execution, 'executed' | 'unstored'> & { readonly id: string },
  ): Promise<void> {
    const streams = this.containers.output(id);
    const kill = (): void => void this.containers.kill(id).catch(() => undefined);
    try {
      await this.containers.start(id, { judge, environment: unstored });
      signal.addEventListener('abort', kill, { once: true });
      if (signal.aborted) kill();
      await output.program(streams.chunks);
      const code = await this.containers.wait(id);
      signal.throwIfAborted();
      if (code !== 0) throw new StepFailed(executed, code);
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

interface Script {
  /** What the shell runs, and the history has. */
  readonly recorded: string;
  /** A heredoc that names its interpreter, which is run instead of the shell. */
  readonly file?: { readonly name: string; readonly content: string };
}

/** The line with its heredocs behind it, or a heredoc that stands alone. */
function scriptOf({ rest, heredocs, words }: Instruction): Script {
  const [first] = heredocs;
  if (first === undefined) return { recorded: rest };
  const written = [rest, ...heredocs.map((heredoc) => heredoc.written)].join('\n');
  if (words.length > 1 || heredocs.length > 1) return { recorded: written };
  if (first.content.startsWith('#!')) return { recorded: written, file: first };
  return { recorded: first.content };
}

/** The network of the step; undefined for that of the build. */
function networkOf(name: string, { request }: BuildSession): string | undefined {
  if (name === 'default') return undefined;
  if (name === 'none') return name;
  if (name !== 'host') throw invalidArgument(`unsupported network mode "${name}"`);
  if (request.allowsHostNetwork) return name;
  throw forbidden('RUN --network=host: the client does not allow this build the entitlement network.host');
}
