import { crashPoint } from '@gantry/core/crash-points';
import { invalidArgument } from '@gantry/core/errors';
import type { Build } from '../build.js';
import { StepFailed } from '../build-error.js';
import type { Instruction } from '../file/instruction.js';
import { shortId } from '../output.js';
import { type StageState, shellOf } from '../stage-state.js';

/** RUN: the program's changes become a layer. */
export async function run(build: Build, state: StageState, { isList, words, rest }: Instruction): Promise<void> {
  const command = isList ? words : [...shellOf(state), rest];
  const { environment, told } = build.args.forProgram(state);
  // The values decide what comes of it, so they are part of what the cache looks for.
  const recorded = told.length === 0 ? command : [`|${told.length}`, ...told, ...command];
  if (await build.reuse(state, recorded)) return;
  if (state.imageId === undefined)
    throw invalidArgument('RUN needs an image to run in: nothing was added to scratch yet');
  const { containers } = build.parts;
  build.signal.throwIfAborted();
  const id = await containers.create({
    Image: state.imageId,
    // An empty name says that there is no entrypoint, whatever the image has.
    Entrypoint: [''],
    Cmd: command,
    Env: environment,
    Healthcheck: { Test: ['NONE'] },
    // A program that nobody can type to is told so.
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: build.request.limits,
  });
  crashPoint('build.run.created');
  let isDone = false;
  try {
    await build.output.write(` ---> Running in ${shortId(id)}\n`);
    await runToEnd(build, id, command);
    crashPoint('build.run.ended');
    const layer = await containers.layer(id, { signal: build.signal });
    await build.make(state, { command: recorded, container: id, ...(layer !== undefined && { layer }) });
    crashPoint('build.run.made');
    isDone = true;
  } finally {
    const { remove, forceRemove } = build.request;
    if (forceRemove || (remove && (isDone || build.signal.aborted))) {
      build.removeContainer(id);
      await build.output.write(`Removing intermediate container ${shortId(id)}\n`);
    } else {
      // Somebody may have removed it; what the step failed with says more.
      await containers.keep(id).catch(() => undefined);
    }
  }
  await build.tellImage(state);
}

async function runToEnd({ parts, output, signal }: Build, id: string, command: readonly string[]): Promise<void> {
  const { containers } = parts;
  const streams = containers.output(id);
  const kill = (): void => void containers.kill(id).catch(() => undefined);
  try {
    await containers.start(id);
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    await output.program(streams.chunks);
    const code = await containers.wait(id);
    signal.throwIfAborted();
    if (code !== 0) throw new StepFailed(command, code);
  } finally {
    signal.removeEventListener('abort', kill);
    streams.leave();
  }
}
