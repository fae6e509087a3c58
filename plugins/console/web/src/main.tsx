import { render } from 'preact';
import { Frame } from './app/frame';
import { earlyAnswered } from './early/early-answers';
import { restoreSession } from './session/session';
import '@gantry/hosted-api/web/base.css';
import '@gantry/hosted-api/web/frame.css';
import './styles/tabs.css';
import '@gantry/hosted-api/web/controls.css';
import './styles/tables.css';
import './styles/pages.css';
import './styles/disk.css';

/** Milliseconds that the first frame waits for what it shows: to draw it once is faster than twice. */
const frameTimeout = 200;

await Promise.race([
  Promise.all([earlyAnswered(), restoreSession()]),
  new Promise((resolve) => setTimeout(resolve, frameTimeout)),
]);
render(<Frame />, document.body);
