import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import { NftablesError } from '@gantry/lib-linux/nftables';
import test from 'ava';
import type { AnswerPaths } from './answer-paths.js';
import { KernelProbe } from './kernel-probe.js';

test('a kernel that refuses the rules is reported in one line, with what it lacks', (t) => {
  const state = mkdtempSync(join(tmpdir(), 'gantry-probe-'));
  t.teardown(() => rmSync(state, { recursive: true }));
  let tries = 0;
  const set = (): never => {
    tries += 1;
    throw new NftablesError(
      'Error: Could not process rule: Operation not supported\n\n  ^^^^\nError: No such file\n',
      '',
    );
  };
  const probe = new KernelProbe({ state }, kernelNamespaces, kernelNetlink, { set } as unknown as AnswerPaths);
  t.is(
    probe.obstacle(),
    'the kernel takes no rules for what leaves an interface, as Linux does since 5.16 ' +
      '(Error: Could not process rule: Operation not supported)',
  );
  probe.obstacle();
  t.is(tries, 1);
});
