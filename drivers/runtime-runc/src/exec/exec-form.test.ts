import test from 'ava';
import type { OciRuntime } from '../runtime/oci-runtime.js';
import { ExecForms } from './exec-form.js';

const apart: OciRuntime = {
  name: 'crun',
  path: '/usr/bin/unshare',
  args: ['--mount', '/bin/sh', '/usr/bin/crun', '--debug'],
  program: '/usr/bin/crun',
  kind: 'crun',
  version: '1.0',
};
const bare = { ...apart, path: '/usr/bin/crun', args: ['--debug'] };

async function asked(forms: ExecForms, runtime: OciRuntime, refuse: (runtime: OciRuntime) => string | undefined) {
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

test('a runtime that is kept apart is asked as it is, and apart only if it minds', async (t) => {
  const forms = new ExecForms();
  t.deepEqual(await asked(forms, apart, () => undefined), { tried: [bare], failure: undefined });
  const minds = (form: OciRuntime) => (form.path === bare.path ? 'cgroups in hybrid mode not supported' : undefined);
  t.deepEqual(await asked(forms, apart, minds), { tried: [bare, apart], failure: undefined });
  t.deepEqual(await asked(forms, apart, minds), { tried: [apart], failure: undefined }, 'it is remembered');
});

test('what has another reason, or the same both ways, is no reason to keep a runtime apart', async (t) => {
  const forms = new ExecForms();
  t.deepEqual((await asked(forms, apart, () => 'no such file')).tried, [bare]);
  const both = await asked(forms, apart, () => 'the cgroup has gone');
  t.deepEqual(both, { tried: [bare, apart], failure: 'the cgroup has gone' });
  t.deepEqual((await asked(forms, apart, () => undefined)).tried, [bare]);
  t.deepEqual((await asked(forms, bare, () => 'cgroup')).tried, [bare], 'there is only one way');
});
