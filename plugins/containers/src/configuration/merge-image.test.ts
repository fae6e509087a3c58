import test from 'ava';
import { prepare, refusalOf } from '../testing/configuration-fixture.js';

const image = {
  Entrypoint: ['echo', 'image'],
  Cmd: ['command'],
  Env: ['A=image', 'B=image'],
  Labels: { a: 'image', b: 'image' },
  ExposedPorts: { '80/tcp': {} },
  Volumes: { '/image': {} },
  WorkingDir: '/work',
  User: 'ann',
  StopSignal: 'SIGINT',
};

for (const [body, line] of [
  [{ Cmd: null }, 'echo image command'],
  [{ Cmd: [] }, 'echo image command'],
  [{ Cmd: ['mine'] }, 'echo image mine'],
  [{ Cmd: 'mine' }, 'echo image mine'],
  [{ Cmd: null, Entrypoint: ['own'] }, 'own'],
  [{ Cmd: null, Entrypoint: 'own' }, 'own'],
  [{ Cmd: ['mine'], Entrypoint: ['own'] }, 'own mine'],
  [{ Cmd: ['mine'], Entrypoint: [''] }, 'mine'],
  [{ Cmd: ['mine'], Entrypoint: [] }, 'mine'],
] as const) {
  test(`${JSON.stringify(body)} runs ${line}`, (t) => {
    const { path, args } = prepare(body, { image });
    t.is([path, ...args].join(' '), line);
  });
}

for (const [body, words] of [
  [{ Cmd: null }, 'No command specified'],
  [{ Cmd: [] }, 'No command specified'],
  [{ Cmd: [''] }, 'No command specified'],
  [{ WorkingDir: 'rel' }, "WorkingDir: the working directory 'rel' is invalid, it needs to be an absolute path"],
  [{ Env: ['=x'] }, 'Env: invalid environment variable: =x'],
  [{ StopSignal: 'SIGFOO' }, 'Invalid signal: SIGFOO'],
  [{ StopSignal: 65 }, 'Invalid signal: 65'],
  [{ StopTimeout: -2 }, 'StopTimeout: -2 is out of range [-1, 9007199254740991]'],
  [{ Healthcheck: { Interval: 10 } }, 'Interval in Healthcheck cannot be less than 1ms'],
  [{ Healthcheck: { Timeout: 10 } }, 'Timeout in Healthcheck cannot be less than 1ms'],
  [{ Healthcheck: { StartPeriod: -10 } }, 'StartPeriod in Healthcheck cannot be less than 1ms'],
  [{ Healthcheck: { Retries: -1 } }, 'Retries in Healthcheck cannot be negative'],
  [{ Healthcheck: { Test: ['true'] } }, 'Healthcheck: Test begins with "true", which is not NONE, CMD or CMD-SHELL'],
  [{ Healthcheck: { Test: ['CMD'] } }, 'Healthcheck: Missing command after CMD'],
] as const) {
  test(`refused: ${JSON.stringify(body)}`, (t) => {
    t.is(
      refusalOf(() => prepare(body)),
      words,
    );
  });
}

test('what the client leaves out is the image’s', (t) => {
  t.like(prepare({}, { image }).config, {
    Env: image.Env,
    Labels: image.Labels,
    ExposedPorts: image.ExposedPorts,
    Volumes: image.Volumes,
    WorkingDir: '/work',
    User: 'ann',
    StopSignal: 'SIGINT',
  });
});

test('what the client says goes before the image’s', (t) => {
  const body = {
    Env: ['A=mine', 'C=mine'],
    Labels: { a: 'mine' },
    ExposedPorts: { '81/tcp': {} },
    Volumes: { '/mine': {} },
    WorkingDir: '/mine',
    User: 'ben',
    StopSignal: 9,
  };
  t.like(prepare(body, { image }).config, {
    Env: ['A=mine', 'C=mine', 'B=image'],
    Labels: { a: 'mine', b: 'image' },
    ExposedPorts: { '80/tcp': {}, '81/tcp': {} },
    Volumes: { '/image': {}, '/mine': {} },
    WorkingDir: '/mine',
    User: 'ben',
    StopSignal: '9',
  });
});

test('a container of an empty image has only the fields that were set', (t) => {
  const { config } = prepare({});
  t.deepEqual(Object.keys(config).sort(), ['Cmd', 'Hostname', 'Image', 'Labels']);
});

test('health checks are completed field by field', (t) => {
  const check = { Test: ['CMD', 'true'], Interval: 5e9, Timeout: 1e9, Retries: 4 };
  const merged = (Healthcheck: object | undefined) =>
    prepare({ ...(Healthcheck && { Healthcheck }) }, { image: { Healthcheck: check } }).config.Healthcheck;
  t.deepEqual(merged(undefined), check);
  t.deepEqual(merged({ Test: [] }), check);
  t.deepEqual(merged({ Interval: 1e9 }), { ...check, Interval: 1e9 });
  t.deepEqual(merged({ Test: ['NONE'] })?.Test, ['NONE']);
});

test('an image may have null for every field, and command lines as texts', (t) => {
  const nothing = {
    Entrypoint: null,
    Cmd: null,
    Env: null,
    WorkingDir: null,
    Healthcheck: null,
    Shell: null,
    User: null,
    Labels: null,
    ExposedPorts: null,
    Volumes: null,
    OnBuild: null,
    StopSignal: null,
  };
  const { config, path } = prepare({}, { image: nothing as never });
  t.is(path, 'true');
  t.is(config.Env, undefined);
  const older = prepare(
    { Cmd: null },
    { image: { Entrypoint: 'run', Cmd: 'fast', Healthcheck: { Test: null } } as never },
  );
  t.deepEqual([older.path, older.args], ['run', ['fast']]);
});
