import { hydrate, render } from 'preact';
import { Frame } from './app/frame';
import { restoreTheme } from './app/theme';
import { firstPaint } from './first-screen/first-paint';
import { firstScreenData } from './first-screen/first-screen-data';
import { takeFirstScreen } from './first-screen/take-first-screen';
import { currentRoute, isFirstPage } from './routing/route';
import { restoreSession, session } from './session/session';
import '@gantry/hosted-api/web/base.css';
import '@gantry/hosted-api/web/frame.css';
import './styles/tabs.css';
import '@gantry/hosted-api/web/controls.css';
import './styles/tables.css';
import './styles/pages.css';
import './styles/disk.css';

/** Milliseconds that the first frame waits for the session: to draw it once is faster than twice. */
const frameTimeout = 200;

const data = takeFirstScreen();
if (data !== undefined) session.set({ state: 'signed-in', user: data.user, since: data.since });
if (data?.containers !== undefined && isFirstPage(currentRoute())) {
  await firstPaint();
  firstScreenData.set(data);
  hydrate(<Frame />, document.body);
} else {
  document.body.replaceChildren();
  if (data === undefined) {
    await Promise.race([restoreSession(), new Promise((resolve) => setTimeout(resolve, frameTimeout))]);
  }
  render(<Frame />, document.body);
}
delete document.documentElement.dataset.page;
restoreTheme();
