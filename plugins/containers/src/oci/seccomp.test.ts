import { defaultCapabilities } from '@gantry/lib-oci';
import test from 'ava';
import { defaultSeccomp, parseSeccompProfile } from './seccomp.js';

const allowed = (filter: ReturnType<typeof defaultSeccomp>): ReadonlySet<string> =>
  new Set(
    filter.syscalls?.filter(({ action, args }) => action === 'SCMP_ACT_ALLOW' && !args).flatMap(({ names }) => names),
  );

test('the default filter lets programs work and keeps them from the kernel', (t) => {
  const calls = allowed(defaultSeccomp(defaultCapabilities));
  for (const name of ['read', 'execve', 'futex', 'epoll_wait', 'chroot']) t.true(calls.has(name), name);
  for (const name of [
    'mount',
    'bpf',
    'kexec_load',
    'init_module',
    'keyctl',
    'setns',
    'reboot',
    'userfaultfd',
    'io_uring_setup',
  ]) {
    t.false(calls.has(name), name);
  }
});

test('a capability opens its calls', (t) => {
  t.true(allowed(defaultSeccomp(['CAP_SYS_ADMIN'])).has('mount'));
  t.true(allowed(defaultSeccomp(['CAP_SYS_TIME'])).has('clock_settime'));
});

test('clone3 is not there, so that programs use clone, whose flags can be seen', (t) => {
  const rule = defaultSeccomp([]).syscalls?.find(({ names }) => names.includes('clone3'));
  t.like(rule, { action: 'SCMP_ACT_ERRNO', errnoRet: 38 });
});

test("a profile's conditional rules follow the capabilities", (t) => {
  const profile = JSON.stringify({
    defaultAction: 'SCMP_ACT_ERRNO',
    syscalls: [
      { names: ['mount'], action: 'SCMP_ACT_ALLOW', includes: { caps: ['CAP_SYS_ADMIN'] } },
      { name: 'read', action: 'SCMP_ACT_ALLOW' },
    ],
  });
  t.deepEqual([...allowed(parseSeccompProfile(profile, []))], ['read']);
  t.deepEqual([...allowed(parseSeccompProfile(profile, ['CAP_SYS_ADMIN']))], ['mount', 'read']);
});

test('a profile that is none is refused with the reason', (t) => {
  t.throws(() => parseSeccompProfile('{', []), { message: /decoding seccomp profile failed/ });
  t.throws(() => parseSeccompProfile('{}', []), { message: /no defaultAction/ });
});
