import type { ComponentChildren } from 'preact';
import type { LogLine } from './log-lines';

interface LogRowProps {
  readonly line: LogLine;
  /** In lower case. */
  readonly search: string;
  readonly times: boolean;
}

export function LogRow({ line, search, times }: LogRowProps) {
  return (
    <div class={`log-line ${line.stream}`}>
      <span class="source">{line.stream === 'stderr' ? 'err' : 'out'}</span>
      {times && <time>{line.time}</time>}
      <bdi>{search === '' ? line.text : marked(line.text, search)}</bdi>
    </div>
  );
}

function marked(text: string, search: string): ComponentChildren[] {
  const lower = text.toLowerCase();
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (let at = lower.indexOf(search); at !== -1; at = lower.indexOf(search, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + search.length)}</mark>);
    from = at + search.length;
  }
  return [...parts, text.slice(from)];
}
