import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Daemon, type DaemonOptions, type Scope, startDaemon } from '@gantry/test-nodes';
import { type Answer, type AskOptions, ask, isDone } from './ask.js';
import { CrashControl } from './crash-control.js';

let worlds = 0;

/** A daemon that can be killed at its crash points, with what is needed to use it. */
export interface World {
  readonly daemon: Daemon;
  readonly control: CrashControl;
  /** `host:port` of a registry that lives as long as the world. */
  readonly registry: string;
  /** Undefined when the daemon died over it. */
  ask(method: string, target: string, options?: AskOptions): Promise<Answer | undefined>;
  /** Like `ask`, of a call that must succeed. @returns what it answers, parsed when it is JSON. */
  must<T>(method: string, target: string, body?: object | Buffer): Promise<T>;
}

export async function openWorld(scope: Scope, registry: string, options: DaemonOptions = {}): Promise<World> {
  worlds += 1;
  const control = new CrashControl(path.join(tmpdir(), `gantry-faults-${process.pid}-${worlds}`));
  await control.disarm();
  scope.teardown(() => control.remove());
  const daemon = await startDaemon(scope, { logLevel: 'info', ...options, environment: control.environment });
  return useDaemon(daemon, control, registry);
}

function useDaemon(daemon: Daemon, control: CrashControl, registry: string): World {
  const call = (method: string, target: string, options?: AskOptions) => ask(daemon.socket, method, target, options);
  return {
    daemon,
    control,
    registry,
    ask: call,
    must: async (method, target, body) => {
      const answer = await call(method, target, body === undefined ? {} : { body });
      if (answer === undefined || !isDone(answer)) {
        throw new Error(`${method} ${target}: ${answer?.status ?? 'no answer'} ${answer?.text ?? ''}`);
      }
      return parsed(answer.text);
    },
  };
}

/** Answers without a body, and streams of messages, stay text. */
function parsed<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    return text as T;
  }
}

/** What the kernel says of a process: when it began, in ticks since the boot. With the pid it is one of a kind. */
export async function beginningOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
