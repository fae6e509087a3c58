import { ApiError, type Container, type EngineClient } from 'gantry-client';
import { attachTerminal, type Streams } from './attach-terminal.js';
import type { Interruption } from './interruption.js';
import type { RunPlan } from './plan-run.js';
import { pullProgress } from './pull-progress.js';

interface Surroundings {
  readonly streams: Streams;
  readonly interruption: Interruption;
}

/** Runs the container that was planned. @returns the exit code of its command. */
export async function runContainer(engine: EngineClient, plan: RunPlan, around: Surroundings): Promise<number> {
  const container = await create(engine, plan, around);
  try {
    return await attachAndWait(container, plan, around);
  } finally {
    if (!plan.isKept) await container[Symbol.asyncDispose]();
  }
}

async function create(
  engine: EngineClient,
  plan: RunPlan,
  { streams, interruption }: Surroundings,
): Promise<Container> {
  const { image, body, name, platform, pull, isQuiet } = plan;
  const { signal } = interruption;
  const given = platform === undefined ? {} : { platform };
  const make = () => engine.containers.create(body, { name, ...given });
  const fetch = () =>
    engine.images.pull(image, { ...given, signal, ...(!isQuiet && { onProgress: pullProgress(streams.stderr) }) });
  signal.throwIfAborted();
  if (pull === 'always') await fetch();
  try {
    return await make();
  } catch (error) {
    if (pull !== 'missing' || !ApiError.is(error, 404) || !/no such image/i.test(error.message)) throw error;
    await fetch();
    return make();
  }
}

async function attachAndWait(
  container: Container,
  plan: RunPlan,
  { streams, interruption }: Surroundings,
): Promise<number> {
  const attachment = await container.attach({ stdin: plan.isInteractive });
  const { exit } = await container.waiting('next-exit');
  const terminal = attachTerminal(container, attachment, streams, plan);
  terminal.done.catch(() => undefined); // awaited below, unless the start fails
  try {
    await container.start();
    interruption.forwardTo(container);
    await terminal.started();
    const { StatusCode } = await exit;
    await terminal.done;
    return StatusCode;
  } finally {
    terminal.release();
    attachment.close();
  }
}
