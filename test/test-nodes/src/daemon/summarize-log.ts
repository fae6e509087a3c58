interface Line {
  readonly level?: number;
  readonly time?: number;
  readonly event?: string;
  readonly message?: string;
  readonly err?: { readonly message?: string };
}

const mostLines = 40;
const info = 30;

/** What the log of a daemon said last, one line for each entry, without what is only for debugging. */
export function summarizeLog(output: string): string {
  const lines = output.split('\n').flatMap((text) => {
    if (text === '') return [];
    const entry = parse(text);
    if (entry === undefined) return [text];
    const { err, event = '', level = info, message = '', time } = entry;
    if (level < info) return [];
    const moment = time === undefined ? '' : new Date(time).toISOString().slice(11, 23);
    return [[moment, event, message, err?.message].filter(Boolean).join(' | ')];
  });
  return lines.slice(-mostLines).join('\n');
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined; // what a program wrote before the log was open
  }
}
