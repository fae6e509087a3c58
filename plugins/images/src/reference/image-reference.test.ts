import test from 'ava';
import { formatReference, parseReference, tryParseReference } from './image-reference.js';

for (const [text, familiar] of [
  ['busybox', 'busybox:latest'],
  ['busybox:1.36', 'busybox:1.36'],
  ['docker.io/library/busybox', 'busybox:latest'],
  ['index.docker.io/team/app:x', 'team/app:x'],
  ['registry.example:5000/a/b_c/d-e:v1.0', 'registry.example:5000/a/b_c/d-e:v1.0'],
  ['127.0.0.1:5000/x', '127.0.0.1:5000/x:latest'],
  ['[::1]:5000/x:y', '[::1]:5000/x:y'],
] as const) {
  test(`${text} is ${familiar}`, (t) => {
    t.is(formatReference(parseReference(text)), familiar);
  });
}

test('a digest takes precedence over a tag', (t) => {
  const digest = `sha256:${'a'.repeat(64)}`;
  t.is(formatReference(parseReference(`team/app:x@${digest}`)), `team/app@${digest}`);
});

for (const text of ['', 'a b', 'UPPER', 'x:', 'x:ta g', 'a//b', '/a', 'a/', 'a:b:c', '../x', 'a'.repeat(300)]) {
  test(`"${text.slice(0, 20)}" is refused with its text`, (t) => {
    t.throws(() => parseReference(text), { message: /^invalid reference format/ });
  });
}

test('the error for an upper-case name says why', (t) => {
  t.throws(() => parseReference('Team/App'), { message: /repository name must be lowercase/ });
});

test('an id is no reference', (t) => {
  t.is(tryParseReference('a'.repeat(64)), undefined);
});

for (const text of ['FOO/bar', 'Team/app:x', 'sha256:x', 'sha256', 'docker.io/library/sha256:x']) {
  test(`"${text}" is refused as a new name, and still found where an image has it`, (t) => {
    t.throws(() => parseReference(text), { message: /must be lowercase|ambiguous tag/ });
    t.truthy(tryParseReference(text));
  });
}

test('upper case is for hosts', (t) => {
  t.is(formatReference(parseReference('Registry.example/app')), 'Registry.example/app:latest');
});
