import test from 'ava';
import { startContainers } from '../testing/start-containers.js';

interface Listed {
  readonly Titles: readonly string[];
  readonly Processes: readonly (readonly string[])[];
}

test('processes are listed as ps lists them, and an event is published', async (t) => {
  const { actions, create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sleep', '300'] }, 'box');
  await post(`${id}/start`);
  t.teardown(() => post(`${id}/kill`));
  const { Titles, Processes } = (await engine.ask('GET', '/containers/box/top')).json<Listed>();
  t.is(Titles.join(' '), 'UID PID PPID C STIME TTY TIME CMD');
  t.is(Processes.length, 1);
  t.is(Processes[0]?.at(-1), 'sleep 300');
  const chosen = await engine.ask('GET', '/containers/box/top?ps_args=-o%20pid,args');
  t.deepEqual(chosen.json<Listed>().Titles, ['PID', 'COMMAND']);
  t.deepEqual(actions().slice(-2), ['top', 'top']);
});

test('unknown arguments of ps are refused, and a container that does not run is a server error', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sleep', '300'] }, 'box');
  const refused = async (query = '') => {
    const answer = await engine.ask('GET', `/containers/box/top${query}`);
    return `${answer.status} ${answer.json().message}`;
  };
  t.is(await refused(), `500 Container ${id} is not running`);
  await post(`${id}/start`);
  t.teardown(() => post(`${id}/kill`));
  t.regex(await refused('?ps_args=--nosuch'), /^400 .*--nosuch/);
});
