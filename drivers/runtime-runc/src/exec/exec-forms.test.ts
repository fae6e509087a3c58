import test from 'ava';
import type { OciRuntime } from '../runtime/oci-runtime.js';
import { ExecForms } from './exec-forms.js';

const apart: OciRuntime = {
  name: 'crun',
  path: '/usr/bin/unshare',
  args: ['--mount', '/bin/sh', '/usr/bin/crun', '--debug'],
  program: '/usr/bin/crun',
  kind: 'crun',
  version: '1.0',
};
const bare = { ...apart, path: '/usr/bin/crun', args: ['--debug'] };

const unsealed = { sealed: async (runtime: OciRuntime) => runtime };

async function startWith(forms: ExecForms, runtime: OciRuntime, refuse: (runtime: OciRuntime) => string | undefined) {
  const tried: OciRuntime[] = [];
  const failure = await forms
    .start(runtime, async (form) => {
      tried.push(form);
      const reason = refuse(form);
      if (reason !== undefined) throw new Error(reason);
    })
    .then(
      () => undefined,
      (error: Error) => error.message,
    );
  return { tried, failure };
}

test('a wrapped runtime is run without its wrapper first, and with it only if it refuses', async (t) => {
  const forms = new ExecForms(unsealed);
  t.deepEqual(await startWith(forms, apart, () => undefined), { tried: [bare], failure: undefined });
  const refusesHybrid = (form: OciRuntime) =>
    form.path === bare.path ? 'cgroups in hybrid mode not supported' : undefined;
  t.deepEqual(await startWith(forms, apart, refusesHybrid), { tried: [bare, apart], failure: undefined });
  t.deepEqual(await startWith(forms, apart, refusesHybrid), { tried: [apart], failure: undefined }, 'it is remembered');
});

test('another failure, or the same failure both ways, does not make the wrapper permanent', async (t) => {
  const forms = new ExecForms(unsealed);
  t.deepEqual((await startWith(forms, apart, () => 'no such file')).tried, [bare]);
  const both = await startWith(forms, apart, () => 'the cgroup has gone');
  t.deepEqual(both, { tried: [bare, apart], failure: 'the cgroup has gone' });
  t.deepEqual((await startWith(forms, apart, () => undefined)).tried, [bare]);
  t.deepEqual((await startWith(forms, bare, () => 'cgroup')).tried, [bare], 'there is only one way');
});
