import test from 'ava';
import { cgroupsPathBelow, slicePath } from './cgroups-path.js';

test('the cgroup of a task is a path, or with systemd a slice, a prefix and a name', (t) => {
  t.is(cgroupsPathBelow('/gantry', 'one'), '/gantry/one');
  t.is(cgroupsPathBelow('teams/blue/', 'one', 'cgroupfs'), '/teams/blue/one');
  t.is(cgroupsPathBelow('teams.slice', 'one', 'systemd'), 'teams.slice:gantry:one');
});

test('a slice is below those that its name names', (t) => {
  t.is(slicePath('system.slice'), '/system.slice');
  t.is(slicePath('teams-blue-1.slice'), '/teams.slice/teams-blue.slice/teams-blue-1.slice');
});

test('paths, other units and names with empty parts are no slices', (t) => {
  for (const name of [
    '',
    '.slice',
    '/a',
    'a',
    'a.scope',
    'a/b.slice',
    '-a.slice',
    'a-.slice',
    'a--b.slice',
    '../a.slice',
  ]) {
    t.is(slicePath(name), undefined, name);
  }
});
