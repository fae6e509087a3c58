import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../api/api-error';
import { urlOf } from '../../api/request';
import { saveUrl } from '../../api/save-blob';
import { Button } from '../button';
import { CheckField, SelectField, TextField } from '../fields';
import { useVisibleRows } from '../scrolling/use-visible-rows';
import { LogRow } from './log-row';
import { type LogState, useLog } from './use-log';

const lineHeight = 18;
const states: Readonly<Record<LogState, string>> = {
  loading: 'Loading the log…',
  following: 'Following',
  ended: 'The output has ended',
  failed: 'Loading the log failed',
};

interface LogViewProps {
  /** Path of the log in the API. */
  readonly path: string;
  readonly isTerminal: boolean;
  /** For the name of the download. */
  readonly name: string;
  /** Grows when there may be more to follow. */
  readonly round: number;
}

export function LogView({ path, isTerminal, name, round }: LogViewProps) {
  const [tail, setTail] = useState('500');
  const [search, setSearch] = useState('');
  const [onlyMatching, setOnlyMatching] = useState(false);
  const [times, setTimes] = useState(false);
  const [following, setFollowing] = useState(true);
  const { lines, state, error } = useLog(path, isTerminal, tail, round);
  const wanted = search.toLowerCase();
  const matching = useMemo(
    () => (wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted))),
    [lines, wanted],
  );
  const shown = onlyMatching ? matching : lines;
  const { box, first, end } = useVisibleRows(shown.length, lineHeight);
  const lastTop = useRef(0);

  // Each new line moves the end.
  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [shown, following, box]);

  const scrolled = (): void => {
    const element = box.current;
    if (element === null) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < lineHeight;
    if (atEnd) setFollowing(true);
    else if (element.scrollTop < lastTop.current) setFollowing(false);
    lastTop.current = element.scrollTop;
  };
  const download = (): void =>
    saveUrl(urlOf(`/api${path}`, { stdout: true, stderr: true, timestamps: true }), `${name}.log`);

  return (
    <div class="log-page">
      <div class="toolbar log-tools">
        <TextField label="Search" value={search} onChange={setSearch} />
        <SelectField
          label="Last lines"
          value={tail}
          onChange={setTail}
          options={['100', '500', '2000', '10000', 'all']}
        />
        <CheckField label="Only matching lines" value={onlyMatching} onChange={setOnlyMatching} />
        <CheckField label="Times" value={times} onChange={setTimes} />
        <Button pressed={following} onPress={() => setFollowing(!following)}>
          Follow
        </Button>
        <Button onPress={download}>Download</Button>
        <span class="count" role="status">
          {states[state]}
          {error !== undefined && `: ${messageOf(error)}`}
          {wanted !== '' && `, ${matching.length} of ${lines.length} lines match`}
        </span>
      </div>
      <div class="log" role="log" aria-label={`Log of ${name}`} aria-live="off" ref={box} onScroll={scrolled}>
        <div style={{ height: `${first * lineHeight}px` }} />
        {shown.slice(first, end).map((line) => (
          <LogRow key={line.id} line={line} search={wanted} times={times} />
        ))}
        <div style={{ height: `${(shown.length - end) * lineHeight}px` }} />
      </div>
    </div>
  );
}
