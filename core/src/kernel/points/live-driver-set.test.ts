import test from 'ava';
import { LiveDriverSet } from './live-driver-set.js';

test('listeners hear of drivers that join and leave, until they are removed', (t) => {
  const set = new LiveDriverSet<object>('volume', []);
  const heard: string[] = [];
  const end = set.onChange(() => heard.push(set.ids.join()));
  const remove = set.add('a', {});
  set.add('b', {});
  remove();
  remove();
  set.replaceOrigin('b', undefined);
  end();
  set.add('c', {});
  t.deepEqual(heard, ['a', 'a,b', 'b', 'b']);
});
