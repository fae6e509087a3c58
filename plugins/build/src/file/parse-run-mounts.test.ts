import test from 'ava';
import { parseInstruction } from './parse-build-file.js';
import { parseRunMounts } from './parse-run-mounts.js';

const mountsOf = (text: string) => parseRunMounts(parseInstruction(`RUN ${text} true`, 1));

test('mounts of a step are read in their order, with their keys under any of their names', (t) => {
  const [cache, secret, bind, tmpfs] = mountsOf(
    '--mount=type=cache,dst=/c,id=x,sharing=locked,mode=0700,uid=7 --mount=type=secret,src=s,required ' +
      '--mount=from=one,src=/a,target=/b --mount=type=tmpfs,target=/t,size=2m',
  );
  t.like(cache, { type: 'cache', target: '/c', id: 'x', sharing: 'locked', mode: 0o700, uid: 7, readOnly: false });
  t.like(secret, { type: 'secret', id: 's', required: true, readOnly: true });
  t.like(bind, { type: 'bind', from: 'one', source: '/a', target: '/b', readOnly: true });
  t.like(tmpfs, { type: 'tmpfs', size: 2 ** 21 });
});

test('the last of readonly and readwrite counts, secrets may be variables, and agents need no target', (t) => {
  const [bind, cache, secret, agent] = mountsOf(
    '--mount=target=/a,rw --mount=type=cache,target=/c,ro,sharing=private --mount=type=secret,id=s,env=S --mount=type=ssh',
  );
  t.like(bind, { readOnly: false });
  t.like(cache, { readOnly: true, sharing: 'private' });
  t.like(secret, { id: 's', variable: 'S', target: '' });
  t.like(agent, { type: 'ssh', id: '', target: '', required: false });
});

for (const [mount, message] of [
  ['type=nix,target=/a', 'unsupported mount type "nix"'],
  ['type=ssh,size=1', "unexpected key 'size' for mount type 'ssh'"],
  ['type=cache', 'RUN --mount=type=cache requires a target'],
  ['type=cache,target=/a,sharing=nix', 'unsupported sharing value "nix"'],
  ['type=bind,target=/a,rw=maybe', '"maybe" is neither true nor false'],
  ['type=secret', 'RUN --mount=type=secret requires an id or a target'],
  ['type=tmpfs,target=/a,id=x', "unexpected key 'id' for mount type 'tmpfs' in 'type=tmpfs,target=/a,id=x'"],
  ['type=tmpfs,target=/a,size=big', 'size: "big" is not a size such as 64m'],
] as const) {
  test(`--mount=${mount} is refused`, (t) => {
    t.throws(() => mountsOf(`--mount=${mount}`), { message: new RegExp(message.replace(/[()[\]]/g, '.')) });
  });
}
