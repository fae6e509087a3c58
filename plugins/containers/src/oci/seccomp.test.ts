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

test('tracing is allowed where a traced process cannot leave its filter: from Linux 4.8, or with its capability', (t) => {
  const allows = (capabilities: readonly string[], kernel: string) =>
    defaultSeccomp(capabilities, kernel).syscalls?.some(({ names }) => names.includes('ptrace'));
  t.false(allows([], '4.4.0-210-generic'));
  t.true(allows(['CAP_SYS_PTRACE'], '4.4.0-210-generic'));
  for (const kernel of ['4.8.0', '4.19.0-27', '6.18.44']) t.true(allows([], kernel), kernel);
});

test("a profile's rules follow the version of the kernel", (t) => {
  const rule = (name: string, condition: object) => ({ names: [name], action: 'SCMP_ACT_ALLOW', ...condition });
  const syscalls = [
    rule('ptrace', { includes: { minKernel: '4.8' } }),
    rule('vmsplice', { excludes: { minKernel: '5.10' } }),
  ];
  const profile = JSON.stringify({ defaultAction: 'SCMP_ACT_ERRNO', syscalls });
  const allowedOn = (kernel: string) =>
    parseSeccompProfile(profile, [], kernel).syscalls?.flatMap(({ names }) => names);
  t.deepEqual(allowedOn('4.4.0-210-generic'), ['vmsplice']);
  t.deepEqual(allowedOn('5.4.0'), ['ptrace', 'vmsplice']);
  t.deepEqual(allowedOn('6.1.0'), ['ptrace']);
  const wrong = JSON.stringify({ defaultAction: 'a', syscalls: [rule('read', { includes: { minKernel: 'new' } })] });
  t.throws(() => parseSeccompProfile(wrong, []), { message: /minKernel "new" is not a version/ });
});
