import type { EngineEvent } from '@gantry/core';
import test from 'ava';
import { type EventFilters, eventMatcher } from './event-matcher.js';

const container: EngineEvent = {
  type: 'container',
  action: 'exec_start: sh -c true',
  actor: { id: 'abcdef', attributes: { name: 'web', image: 'team/app:1', role: 'front', empty: '' } },
  from: 'team/app:1',
  timeNano: 1n,
};
const image: EngineEvent = {
  type: 'image',
  action: 'tag',
  actor: { id: 'sha256:123456', attributes: { name: 'team/app:1' } },
  timeNano: 2n,
};
const volume: EngineEvent = {
  type: 'volume',
  action: 'create',
  actor: { id: 'data', attributes: { driver: 'local' } },
  timeNano: 3n,
};

const cases: readonly (readonly [EventFilters, readonly EngineEvent[]])[] = [
  [{}, [container, image, volume]],
  [{ type: ['image', 'volume'] }, [image, volume]],
  [{ container: ['abc'] }, [container]],
  [{ container: ['web'] }, [container]],
  [{ container: ['data'] }, []],
  [{ volume: ['data'] }, [volume]],
  [{ event: ['exec_start'] }, [container]],
  [{ event: ['exec'] }, []],
  [{ event: ['exec_start: sh -c true'] }, [container]],
  [{ image: ['team/app:1'] }, [container, image]],
  [{ image: ['team/app'] }, [container, image]],
  [{ image: ['sha256:1234'] }, [image]],
  [{ label: ['role'] }, [container]],
  [{ label: ['role=front'] }, [container]],
  [{ label: ['role=back'] }, []],
  [{ label: ['empty='] }, [container]],
  [{ type: ['container'], event: ['tag'] }, []],
  [{ scope: ['local'] }, [container, image, volume]],
  [{ scope: ['swarm'] }, []],
];

for (const [filters, expected] of cases) {
  test(`${JSON.stringify(filters)} matches ${expected.map(({ type }) => type).join(', ') || 'nothing'}`, (t) => {
    t.deepEqual([container, image, volume].filter(eventMatcher(filters)), expected);
  });
}
