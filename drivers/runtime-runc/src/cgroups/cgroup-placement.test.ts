import { DriverSkipped } from '@gantry/core/errors';
import test from 'ava';
import { cgroupOf, FilePlacement, ScopePlacement } from './cgroup-placement.js';
import { choosePlacement } from './choose-placement.js';

test('with cgroupfs the cgroup of a task is a path that ends with its id', (t) => {
  const placement = new FilePlacement('/gantry');
  t.is(placement.place('one').path, '/gantry/one');
  t.is(placement.place('one', 'elsewhere/one').cgroupsPath, '/elsewhere/one');
  for (const path of ['/', '/a/two', '/a/../one', 'teams.slice:gantry:one']) {
    t.throws(() => placement.place('one', path), { message: new RegExp(`cgroupsPath: "${path}"`) });
  }
});

test('with systemd the cgroup of a task is that of a scope in a slice', (t) => {
  const placement = new ScopePlacement('system.slice');
  const { path, cgroupsPath, annotations } = placement.place('one');
  t.deepEqual([path, cgroupsPath], ['/system.slice/gantry-one.scope', 'system.slice:gantry:one']);
  t.is(annotations['run.oci.systemd.subgroup' as never], '');
  t.is(placement.place('one', 'a-b.slice:gantry:one').path, '/a.slice/a-b.slice/gantry-one.scope');
  for (const other of ['/gantry/one', 'a/b.slice:gantry:one', 'a.slice:other:one', 'a.slice:gantry:two']) {
    t.throws(() => placement.place('one', other), { message: new RegExp(`"${other}" is not SLICE:gantry:one`) });
  }
});

test('the cgroup of an interrupted creation is found by whichever cgroup driver it had', (t) => {
  t.is(cgroupOf('/gantry/one'), '/gantry/one');
  t.is(cgroupOf('a-b.slice:gantry:one'), '/a.slice/a-b.slice/gantry-one.scope');
});

test('systemd creates cgroups by default where it is the init system and cgroups are version 2', (t) => {
  t.is(choosePlacement({}, { mode: 'v2' }, undefined).driver, 'systemd');
  t.is(choosePlacement({}, { mode: 'v2' }, undefined).parent, 'system.slice');
  t.is(choosePlacement({}, { mode: 'hybrid' }, undefined).driver, 'cgroupfs');
  t.is(choosePlacement({}, { mode: 'v2' }, 'systemd as init system').parent, '/gantry');
  t.is(choosePlacement({ cgroupDriver: 'systemd' }, { mode: 'hybrid' }, undefined).driver, 'systemd');
  t.is(choosePlacement({ cgroupDriver: 'cgroupfs' }, { mode: 'v2' }, undefined).driver, 'cgroupfs');
});

test('a cgroup driver without what it needs is refused by its name', (t) => {
  const error = t.throws(() => choosePlacement({ cgroupDriver: 'systemd' }, { mode: 'v2' }, 'systemd as init system'));
  t.true(error instanceof DriverSkipped);
  t.regex(error.message, /cgroupDriver: "systemd" needs systemd as init system/);
  t.throws(() => choosePlacement({ cgroupParent: '/teams' }, { mode: 'v2' }, undefined), {
    message: /cgroupParent: "\/teams" is not the name of a slice/,
  });
  t.throws(() => choosePlacement({ cgroupParent: 'teams.slice' }, { mode: 'v2' }, 'systemd as init system'), {
    message: /cgroupParent: "teams.slice" is not a path/,
  });
});

test('without cgroups the runtime is asked for none, and a configured cgroup driver is refused', (t) => {
  const placement = choosePlacement({}, { mode: 'none' }, undefined);
  t.is(placement.driver, 'none');
  t.is(placement.place('one').cgroupsPath, undefined);
  t.throws(() => choosePlacement({ cgroupDriver: 'cgroupfs' }, { mode: 'none' }, undefined), {
    message: /cgroupDriver: "cgroupfs" needs cgroups/,
  });
});
