import test from 'ava';
import { parseGitUrl } from './parse-git-url.js';

test('a repository URL is parsed with reference and directory', (t) => {
  t.deepEqual(parseGitUrl('https://host/x.git#v1:sub/dir'), {
    url: 'https://host/x.git',
    reference: 'v1',
    directory: 'sub/dir',
  });
  t.deepEqual(parseGitUrl('github.com/a/b'), { url: 'https://github.com/a/b', reference: '', directory: '' });
  t.like(parseGitUrl('git://host/x#:d'), { reference: '', directory: 'd' });
  t.like(parseGitUrl('git@host:x/y.git'), { url: 'git@host:x/y.git' });
  t.is(parseGitUrl('https://host/context.tar.gz'), undefined);
  t.throws(() => parseGitUrl('git://host/x#--upload-pack=y'), { message: /is no branch, tag or commit/ });
});
