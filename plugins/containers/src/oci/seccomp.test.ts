import { defaultCapabilities } from '@gantry/lib-oci';
import test from 'ava';
import { recordedCalls, recordedCallsByCapability } from '../testing/recorded-seccomp.js';
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

const compare = {
  SCMP_CMP_LT: (a: number, b: number) => a < b,
  SCMP_CMP_EQ: (a: number, b: number) => a === b,
  SCMP_CMP_GT: (a: number, b: number) => a > b,
  SCMP_CMP_MASKED_EQ: (a: number, mask: number, value = 0) => (a & mask) === value,
} as const;

/** Whether a call with this first argument is allowed. */
const permits = (name: string, argument: number, capabilities: readonly string[] = defaultCapabilities): boolean =>
  defaultSeccomp(capabilities, '6.18.0').syscalls?.some(
    ({ names, action, args = [] }) =>
      action === 'SCMP_ACT_ALLOW' &&
      names.includes(name) &&
      args.every(({ op, value, valueTwo }) => compare[op as keyof typeof compare](argument, value, valueTwo)),
  ) === true;

test('sockets of all families but AF_ALG and AF_VSOCK are allowed', (t) => {
  const refused = Array.from({ length: 64 }, (_, family) => family).filter((family) => !permits('socket', family));
  t.deepEqual(refused, [38, 40]);
});

test('clone makes namespaces only with CAP_SYS_ADMIN', (t) => {
  for (const flag of [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]) {
    t.false(permits('clone', flag | 0x11), flag.toString(16));
    t.true(permits('clone', flag | 0x11, ['CAP_SYS_ADMIN']), flag.toString(16));
  }
  t.true(permits('clone', 0x003d_0f00), 'a thread');
});

/** Calls by the capability that each needs; those of `never` are refused with any. */
const guarded = {
  CAP_BPF: ['bpf'],
  CAP_DAC_READ_SEARCH: ['open_by_handle_at'],
  CAP_PERFMON: ['perf_event_open'],
  CAP_SYS_ADMIN: ['bpf', 'clone3', 'fsopen', 'mount', 'perf_event_open', 'setns', 'unshare'],
  CAP_SYS_MODULE: ['delete_module', 'finit_module', 'init_module'],
  CAP_SYS_PTRACE: ['kcmp', 'pidfd_getfd', 'process_madvise'],
  CAP_SYS_RAWIO: ['ioperm', 'iopl'],
  CAP_SYSLOG: ['syslog'],
} as const;
const never = ['add_key', 'io_uring_setup', 'kexec_file_load', 'kexec_load', 'keyctl', 'swapon', 'userfaultfd'];

test('what reaches deep into the kernel needs its capability, and io_uring, keys and kexec are refused with any', (t) => {
  const plain = allowed(defaultSeccomp(defaultCapabilities, '6.18.0'));
  for (const [capability, names] of Object.entries(guarded)) {
    const opened = allowed(defaultSeccomp([...defaultCapabilities, capability], '6.18.0'));
    for (const name of names) {
      t.false(plain.has(name), name);
      t.true(opened.has(name), `${name} with ${capability}`);
    }
    for (const name of never) t.false(opened.has(name), `${name} with ${capability}`);
  }
});

/** What is allowed whatever the arguments, but not by the recorded filter, and the reverse. */
function differences(capabilities: readonly string[]): {
  readonly more: readonly string[];
  readonly less: readonly string[];
} {
  const own = allowed(defaultSeccomp(capabilities, '6.18.0'));
  const further = capabilities.map((capability) => recordedCallsByCapability[capability] ?? '').join(' ');
  const recorded = new Set(`${recordedCalls} ${further}`.split(/\s+/).filter((name) => name !== ''));
  return {
    more: [...own].filter((name) => !recorded.has(name)),
    less: [...recorded].filter((name) => !own.has(name)),
  };
}

test('the default filter allows what the recorded one of Docker Engine 28.5 allows, with each capability', (t) => {
  // A call of an architecture on which the engine does not run.
  const equal = { more: [], less: ['riscv_hwprobe'] };
  t.deepEqual(differences([]), equal);
  for (const capability of new Set([
    ...Object.keys(recordedCallsByCapability),
    ...defaultCapabilities,
    'CAP_NET_ADMIN',
  ]))
    t.deepEqual(differences([capability]), equal, capability);
});

test('calls whose arguments decide are filtered as by the recorded filter, or more strictly', (t) => {
  const conditional = (capabilities: readonly string[]) =>
    defaultSeccomp(capabilities, '6.18.0').syscalls?.filter(({ names, args }) => args && names[0] !== 'socket');
  const personality = (value: number) => ({
    names: ['personality'],
    action: 'SCMP_ACT_ALLOW',
    args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }],
  });
  const recorded = [0, 8, 131_072, 131_080, 4_294_967_295].map(personality);
  t.deepEqual<unknown, unknown>(conditional(['CAP_SYS_ADMIN']), recorded);
  const clone = { index: 0, value: 2_114_060_288, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };
  t.deepEqual<unknown, unknown>(conditional([]), [
    ...recorded,
    { names: ['clone'], action: 'SCMP_ACT_ALLOW', args: [clone] },
  ]);
});
