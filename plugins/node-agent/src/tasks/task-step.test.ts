import type { AssignedTask, TaskState } from '@gantry/services/service';
import test from 'ava';
import type { ContainerFacts } from '../containers/container-facts.js';
import { nextStep, type TaskStep } from './task-step.js';

const assigned = (desiredState: TaskState): AssignedTask => ({
  id: 't',
  name: 'web.1.t',
  slot: 1,
  serviceId: 's',
  serviceName: 'web',
  serviceLabels: {},
  spec: {},
  ports: [],
  networks: [],
  genericResources: [],
  desiredState,
  status: { Timestamp: '', State: 'assigned', Message: '' },
});

const absent: ContainerFacts = { phase: 'absent' };
const created: ContainerFacts = { phase: 'created', id: 'c' };
const running: ContainerFacts = { phase: 'running', id: 'c', pid: 1, health: 'none' };
const probed = (health: 'starting' | 'healthy' | 'unhealthy'): ContainerFacts => ({ ...running, health });
const exited: ContainerFacts = { phase: 'exited', id: 'c', exitCode: 0, error: '' };

type Case = readonly [
  title: string,
  desired: TaskState | undefined,
  reached: TaskState,
  container: ContainerFacts,
  step: TaskStep,
];

const cases: readonly Case[] = [
  ['a new task is created', 'running', 'assigned', absent, 'create'],
  ['a task that was killed while it was prepared is created again', 'running', 'preparing', absent, 'create'],
  [
    'a container that was created before a crash is started, not created again',
    'running',
    'preparing',
    created,
    'start',
  ],
  ['a task that must not start yet is reported as prepared', 'ready', 'preparing', created, 'report-ready'],
  ['a prepared task waits', 'ready', 'ready', created, 'wait'],
  ['a container that was started before a crash is adopted', 'running', 'starting', running, 'report-running'],
  ['a running task is left alone', 'running', 'running', running, 'wait'],
  ['a probed container does not run before it is healthy', 'running', 'starting', probed('starting'), 'wait'],
  ['a healthy container runs', 'running', 'starting', probed('healthy'), 'report-running'],
  ['an unhealthy container has failed', 'running', 'running', probed('unhealthy'), 'report-unhealthy'],
  ['an exit is reported', 'running', 'running', exited, 'report-ended'],
  ['an exit before its start was reported is reported', 'running', 'starting', exited, 'report-ended'],
  ['a container that was removed is reported as lost', 'running', 'running', absent, 'report-lost'],
  ['a task that is to be stopped is stopped', 'shutdown', 'running', running, 'stop'],
  ['a stopped task is reported', 'shutdown', 'running', exited, 'report-shut-down'],
  [
    'a task that is to be stopped before it was created is reported',
    'shutdown',
    'assigned',
    absent,
    'report-shut-down',
  ],
  ['a stopped container is kept with its task', 'shutdown', 'shutdown', exited, 'wait'],
  ['the container of a failed task is stopped when it still runs', 'running', 'failed', running, 'stop'],
  ['the container of a task that is to be removed is removed', 'remove', 'failed', exited, 'remove'],
  ['a removed task waits for its record to be deleted', 'remove', 'shutdown', absent, 'wait'],
  ['the container of a task that is gone is stopped first', undefined, 'running', running, 'stop'],
  ['the container of a task that is gone is removed', undefined, 'running', exited, 'remove'],
  ['what else a task that is gone had is removed', undefined, 'running', absent, 'remove'],
];

for (const [title, desired, reached, container, step] of cases) {
  test(title, (t) => {
    t.is(nextStep(desired === undefined ? undefined : assigned(desired), reached, container), step);
  });
}
