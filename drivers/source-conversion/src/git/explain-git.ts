import { type Location, refusedEntry } from '../location.js';
import { SourceError } from '../source-error.js';

/** What git's words mean for whoever asked for the import. */
export function explainGit(location: Location, step: string) {
  const { url } = location;
  return (words: string): SourceError | undefined => {
    if (/Authentication failed|could not read (Username|Password)|returned error: 40[13]\b/i.test(words)) {
      return refusedEntry(location, step, words);
    }
    if (/certificate verification failed|SSL certificate problem/i.test(words)) {
      return new SourceError('unreachable', `the certificate of ${url.host} is not trusted`, step, words);
    }
    if (/Could not resolve host|Failed to connect|unable to connect|timed out|Operation too slow/i.test(words)) {
      return new SourceError('unreachable', `${url.host} cannot be reached`, step, words);
    }
    if (/not found|does not appear to be a git repository|not valid: is this a git repository/i.test(words)) {
      return new SourceError('not-a-repository', `there is no Git repository at ${url.href}`, step, words);
    }
    return undefined;
  };
}
