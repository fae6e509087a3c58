import { render } from 'preact';
import { Frame } from './app/frame';
import { restoreSession } from './session/session';
import '@gantry/hosted-api/web/base.css';
import '@gantry/hosted-api/web/frame.css';
import './styles/tabs.css';
import '@gantry/hosted-api/web/controls.css';
import './styles/tables.css';
import './styles/pages.css';
import './styles/disk.css';

void restoreSession();
render(<Frame />, document.body);
