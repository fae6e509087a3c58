import { SourceError } from '@gantry/core/contracts';
import { accessDenied, type SourceLocation } from '@gantry/lib-source';
/** Recognizes failures of git by the end of its output. */
export function explainGit(location: SourceLocation, step: string) {
  const { url } = location;
  return (output: string): SourceError | undefined => {
    if (/Authentication failed|could not read (Username|Password)|returned error: 40[13]\b/i.test(output)) {
      return accessDenied(location, step, output);
    }
    if (/certificate verification failed|SSL certificate problem/i.test(output)) {
      return new SourceError('unreachable', `the certificate of ${url.host} is not trusted`, step, output);
    }
    if (/Could not resolve host|Failed to connect|unable to connect|timed out|Operation too slow/i.test(output)) {
      return new SourceError('unreachable', `${url.host} cannot be reached`, step, output);
    }
    if (/not found|does not appear to be a git repository|not valid: is this a git repository/i.test(output)) {
      return new SourceError('not-a-repository', `there is no Git repository at ${url.href}`, step, output);
    }
    return undefined;
  };
}
