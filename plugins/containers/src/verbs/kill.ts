import type { RuntimeDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { conflict, internal, kindOf, messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { within } from '../deadline.js';
import { type Parts, runtimeOf } from '../parts.js';
import { callRestartOff } from '../runs/call-restart-off.js';
import { noteStop, untilEnded } from '../runs/note-stop.js';
import { parseSignal, SIGKILL, SIGTERM } from '../signals.js';
import { isAlive, resumeRun } from '../transitions.js';

/** How long the kernel may take to end a process after SIGKILL, in milliseconds. */
const killTimeout = 10_000;

/** What `stop` sends. */
export const stopSignalOf = (container: Container): number => {
  const { StopSignal } = container.record.config;
  return StopSignal ? parseSignal(StopSignal) : SIGTERM;
};

/** Spec: POST /containers/(id)/kill. After SIGKILL it resolves when the container has ended. */
export async function kill(parts: Parts, reference: string, signal: string | undefined): Promise<void> {
  const number = signal === undefined || signal === '' ? SIGKILL : parseSignal(signal);
  const container = parts.store.get(reference);
  if (number === SIGKILL) return killAndWait(parts, container);
  await container.queue.run(() => sendSignal(parts, container, number));
}

/** Sends SIGKILL and waits until the exit is recorded. Not running any more: resolves. Never waits for ever. */
export async function killAndWait(parts: Parts, container: Container): Promise<void> {
  const wasRunning = await container.queue.run(async () => {
    if (container.record.state.status === 'restarting') return callRestartOff(container);
    await sendSignal(parts, container, SIGKILL);
    // It may have ended by itself, with a policy that was first.
    if (!isAlive(container.record.state)) await callRestartOff(container);
    return true;
  });
  if (!wasRunning) throw notRunning(container);
  await within(
    parts.clock,
    killTimeout,
    `container ${container.id} is still there ${killTimeout / 1000} s after SIGKILL`,
    untilEnded(container),
  );
  await container.released;
}

/**
 * Sends one signal and says so. What is meant to end a container ends what the restart policy wants, and wakes it
 * when it is paused. The caller holds the queue.
 */
export async function sendSignal(parts: Parts, container: Container, signal: number): Promise<void> {
  if (!isAlive(container.record.state)) throw notRunning(container);
  const runtime = runtimeOf(parts, container.record);
  const isMeantToEnd = signal === SIGKILL || signal === stopSignalOf(container);
  if (isMeantToEnd) await noteStop(parts, container);
  try {
    await runtime.kill(container.id, signal);
  } catch (error) {
    // It ended in this moment: its exit is on the way to us.
    if (kindOf(error) !== 'not-found') {
      throw internal(`Cannot kill container: ${container.id}: ${messageOf(error)}`, { cause: error });
    }
  }
  crashPoint('container.kill.signalled');
  parts.events.publish(container.record, 'kill', { signal: String(signal) });
  if (isMeantToEnd && container.record.state.status === 'paused') await wake(parts, container, runtime);
}

/** A frozen process cannot act on a signal. */
async function wake(parts: Parts, container: Container, runtime: RuntimeDriver): Promise<void> {
  await runtime.resume(container.id).catch((error: unknown) => {
    const facts = { event: 'container.resume-failed', container: container.id, reason: messageOf(error) };
    parts.log.debug(facts, 'a killed container could not be resumed');
  });
  await container.change(resumeRun, () => parts.events.publish(container.record, 'unpause'));
}

export const notRunning = (container: Container) => conflict(`Container ${container.id} is not running`);
