import { followStream } from '../../api/follow-stream';
import { FrameReader, type OutputStream } from '../../api/frame-reader';

export interface LogLine {
  readonly id: number;
  readonly stream: OutputStream;
  /** As the engine wrote it; empty when it wrote none. */
  readonly time: string;
  readonly text: string;
}

const kept = 20_000;
const longestLine = 10_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007]*(\u0007|\u001b\\)|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** The newest lines of a log, which may be read again from where it ended. */
export class LogLines {
  private next = 0;
  private lastTime = '';
  lines: LogLine[] = [];

  constructor(
    private readonly path: string,
    private readonly isTerminal: boolean,
    private readonly changed: () => void,
  ) {}

  /** Reads until the log ends or the signal aborts; what an earlier call has read does not come twice. */
  async follow(tail: string, signal: AbortSignal): Promise<void> {
    const after = this.lastTime;
    const query = { stdout: true, stderr: true, timestamps: true, follow: true };
    const from = after === '' ? { tail } : { since: String(Math.floor(Date.parse(after) / 1000)) };
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const rests = { stdout: '', stderr: '' };
    const frames = new FrameReader(this.isTerminal, (stream, bytes) => {
      const lines = (rests[stream] + decoders[stream].decode(bytes, { stream: true })).split('\n');
      rests[stream] = lines.pop() ?? '';
      for (const line of lines) this.append(stream, line, after);
    });
    await followStream(
      `/stream${this.path}`,
      { query: { ...query, ...from }, signal, connected: this.changed },
      (chunk) => {
        frames.push(chunk);
        this.changed();
      },
    );
    for (const stream of ['stdout', 'stderr'] as const)
      if (rests[stream] !== '') this.append(stream, rests[stream], after);
    this.changed();
  }

  private append(stream: OutputStream, line: string, after: string): void {
    const [, time = '', text = line] = /^(\d{4}-\d\d-\d\dT\S+Z) ?([\s\S]*)$/.exec(line) ?? [];
    if (after !== '' && time !== '' && time <= after) return;
    if (time !== '') this.lastTime = time;
    this.lines.push({ id: this.next++, stream, time, text: text.replace(escapes, '').slice(0, longestLine) });
    if (this.lines.length > kept * 1.1) this.lines = this.lines.slice(-kept);
  }
}
