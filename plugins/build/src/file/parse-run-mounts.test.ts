import test from 'ava';
import { parseInstruction } from './parse-build-file.js';
import { parseRunMounts } from './parse-run-mounts.js';

const mountsOf = (text: string) => parseRunMounts(parseInstruction(`RUN ${text} true`, 1));

test('mounts of a step are read in their order, with their keys under any of their names', (t) => {
  const [cache, secret, bind, tmpfs] = mountsOf(
    '--mount=type=cache,dst=/c,id=x,sharing=locked,mode=0700,uid=7 --mount=type=secret,src=s,required ' +
      '--mount=from=one,src=/a,target=/b --mount=type=tmpfs,target=/t,size=2m',
  );
  t.like(cache, { type: 'cache', target: '/c', id: 'x', locked: true, mode: 0o700, uid: 7, readOnly: false });
  t.like(secret, { type: 'secret', id: 's', required: true, readOnly: true });
  t.like(bind, { type: 'bind', from: 'one', source: '/a', target: '/b', readOnly: true });
  t.like(tmpfs, { type: 'tmpfs', size: 2 ** 21 });
});

for (const [mount, message] of [
  ['type=nix,target=/a', 'unsupported mount type "nix"'],
  ['type=ssh', 'RUN --mount=type=ssh is not supported by this builder'],
  ['type=cache', 'RUN --mount=type=cache requires a target'],
  ['type=cache,target=/a,sharing=private', 'RUN --mount=type=cache: sharing=private is not supported by this builder'],
  ['type=cache,target=/a,sharing=nix', 'unsupported sharing value "nix"'],
  ['type=bind,target=/a,rw', 'RUN --mount=type=bind: rw is not supported by this builder'],
  ['type=secret', 'RUN --mount=type=secret requires an id or a target'],
  ['type=secret,id=a,env=A', 'RUN --mount=type=secret: env is not supported by this builder'],
  ['type=tmpfs,target=/a,id=x', "unexpected key 'id' for mount type 'tmpfs' in 'type=tmpfs,target=/a,id=x'"],
  ['type=tmpfs,target=/a,size=big', 'size: "big" is not a size such as 64m'],
] as const) {
  test(`--mount=${mount} is refused`, (t) => {
    t.throws(() => mountsOf(`--mount=${mount}`), { message: new RegExp(message.replace(/[()[\]]/g, '.')) });
  });
}
