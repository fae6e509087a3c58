import { BuildFileError, type LintResult, type NamedText } from '@gantry/build/service';
import { EngineError } from '@gantry/core/errors';
import { describeFailure } from '../progress/describe-failure.js';
import { rangesOf } from '../progress/ranges-of.js';

/** The answer to the request `frontend.lint`, as the metadata of a result: for `docker build --check`. */
export function lintAnswer(file: NamedText, check: () => LintResult): Readonly<Record<string, Buffer>> {
  const { warnings, error } = checked(check);
  const answer = {
    warnings: warnings.map(({ rule, description, url, message, lines }) => ({
      ruleName: rule,
      description,
      url,
      detail: message,
      location: { ranges: rangesOf(lines) },
    })),
    sources: [{ filename: file.name, data: Buffer.from(file.text).toString('base64'), language: 'Dockerfile' }],
    ...(error !== undefined && {
      buildError: {
        message: describeFailure(error),
        location: {
          ranges: error instanceof BuildFileError && error.lines !== undefined ? rangesOf(error.lines) : [],
        },
      },
    }),
  };
  const texts = warnings.map(({ rule, message, url, lines }) => `${rule} - ${url}\n${message} (line ${lines.start})\n`);
  const code = warnings.length === 0 && error === undefined ? '0' : '1';
  return {
    'result.json': Buffer.from(JSON.stringify(answer, undefined, 2)),
    'result.txt': Buffer.from(texts.join('\n')),
    'result.statuscode': Buffer.from(code),
    version: Buffer.from('1.0.0'),
  };
}

function checked(check: () => LintResult): { readonly warnings: LintResult['warnings']; readonly error?: EngineError } {
  try {
    return check();
  } catch (error) {
    if (EngineError.is(error) && error.kind === 'invalid-argument') return { warnings: [], error };
    throw error;
  }
}
