/** Takes a body apart that has one JSON value a line. */
export class JsonLines<T> {
  private readonly decoder = new TextDecoder();
  private rest = '';

  constructor(private readonly receive: (value: T) => void) {}

  push(chunk: Uint8Array): void {
    const lines = (this.rest + this.decoder.decode(chunk, { stream: true })).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.receive(JSON.parse(line) as T);
  }

  /** The last line may have no end. */
  end(): void {
    if (this.rest.trim() !== '') this.receive(JSON.parse(this.rest) as T);
  }
}
