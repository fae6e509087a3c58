import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import './terminal.css';

interface Target {
  readonly socket: (rows: number, columns: number) => string;
  /** Path that resizes; undefined for what has no terminal. */
  readonly resize: string | undefined;
}

/** What `#exec/ID` or `#attach/ID/1` asks for. */
function targetOf(hash: string): Target | undefined {
  const [, kind, id, tty] = /^#(exec|attach)\/([\w.-]+)(?:\/([01]))?$/.exec(hash) ?? [];
  if (kind === 'exec') return { socket: (rows, columns) => `exec/${id}?h=${rows}&w=${columns}`, resize: `exec/${id}` };
  if (kind === 'attach')
    return { socket: () => `attach/${id}?tty=${tty}`, resize: tty === '1' ? `containers/${id}` : undefined };
  return undefined;
}

function isDark(): boolean {
  const chosen = localStorage.getItem('gantry-theme');
  return chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

function openTerminal(): Terminal {
  const dark = isDark();
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  const terminal = new Terminal({
    cursorBlink: true,
    screenReaderMode: true,
    scrollback: 5_000,
    fontSize: 13,
    fontFamily: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    theme: dark
      ? { background: '#12161c', foreground: '#e4e9ef', cursor: '#e4e9ef' }
      : { background: '#ffffff', foreground: '#1b2430', cursor: '#1b2430', selectionBackground: '#b9d4f7' },
    minimumContrastRatio: 4.5,
  });
  terminal.open(document.body);
  return terminal;
}

function connect(target: Target): void {
  const terminal = openTerminal();
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  fit.fit();
  const address = new URL(`/terminal/${target.socket(terminal.rows, terminal.cols)}`, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  const encoder = new TextEncoder();
  const send = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
  };
  const resize = (): void => {
    if (target.resize === undefined || socket.readyState !== WebSocket.OPEN) return;
    const path = `/api/${target.resize}/resize?h=${terminal.rows}&w=${terminal.cols}`;
    fetch(path, { method: 'POST' }).then(
      (response) => response.ok || terminal.write(`\r\n[resizing failed: ${response.status}]\r\n`),
      () => terminal.write('\r\n[resizing failed: the engine does not answer]\r\n'),
    );
  };
  let sized = false;
  socket.onopen = () => {
    if (target.resize?.startsWith('containers/')) resize();
    terminal.focus();
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
    // Only now is it certain that the process of an exec instance runs.
    if (!sized) resize();
    sized = true;
    terminal.write(typeof event.data === 'string' ? event.data : new Uint8Array(event.data));
  };
  socket.onclose = ({ code, reason }) => {
    const why = reason !== '' ? `: ${reason}` : code === 1000 ? '' : ` (${code})`;
    terminal.write(`\r\n[the connection has ended${why}]\r\n`);
    terminal.options.disableStdin = true;
  };
  terminal.onData((text) => send(encoder.encode(text)));
  terminal.onBinary((text) => send(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  terminal.onResize(resize);
  new ResizeObserver(() => fit.fit()).observe(document.body);
}

const target = targetOf(location.hash);
if (target === undefined) document.body.textContent = 'This address names no terminal.';
else connect(target);
