import { render } from 'preact';
import { Frame } from './app/frame';
import { restoreSession } from './session/session';
import './styles/base.css';
import './styles/frame.css';
import './styles/tabs.css';
import './styles/controls.css';
import './styles/tables.css';
import './styles/pages.css';
import './styles/disk.css';

void restoreSession();
render(<Frame />, document.body);
