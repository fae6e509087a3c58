import { EventEmitter } from 'node:events';
import type { ContainerRecord } from '@gantry/containers/service';
import { Lifetime } from '@gantry/core/driver';
import type { EngineEvents } from '@gantry/core/plugin';
import test from 'ava';
import { TaskContainers } from './task-containers.js';
import { taskIdLabel } from './task-labels.js';

function make(ids: readonly string[]) {
  const bus = new EventEmitter();
  let lists = 0;
  const list = () => {
    lists++;
    return ids.map((id) => ({ id, config: { Labels: { [taskIdLabel]: `task-${id}` } } }) as unknown as ContainerRecord);
  };
  const events = {
    subscribe(listener: (event: unknown) => void) {
      bus.on('event', listener);
      return () => bus.off('event', listener);
    },
  } as unknown as EngineEvents;
  const containers = new TaskContainers({ list, find: () => undefined }, { of: () => 'none' }, events, new Lifetime());
  const publish = (action: string, id: string, labels: object = { [taskIdLabel]: `task-${id}` }) =>
    bus.emit('event', { type: 'container', action, actor: { id, attributes: labels } });
  return { containers, publish, lists: () => lists };
}

test('the containers of tasks are listed once, and followed from then on', (t) => {
  const { containers, lists, publish } = make(['a', 'b']);
  t.is(containers.find('task-a'), 'a');
  publish('create', 'c');
  publish('destroy', 'b');
  publish('create', 'd', {});
  t.deepEqual([...containers.all().keys()], ['task-a', 'task-c']);
  t.is(lists(), 1);
});

test('the removal of an earlier container of a task leaves the later one found', (t) => {
  const { containers, publish } = make(['a']);
  t.is(containers.find('task-a'), 'a');
  publish('create', 'second', { [taskIdLabel]: 'task-a' });
  publish('destroy', 'a');
  t.is(containers.find('task-a'), 'second');
});
